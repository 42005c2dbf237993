// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The Python lines of the nodes of a torch.export archive.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/json_text.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/stack_trace.hpp>
#include <baton/import/detail/zip_archive.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/import/source_line.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::pt2 {

namespace detail {

/// A reader of the stack traces of a program, in the order of debug handles (the numbers that identify nodes of the model). The root graph
/// is first. The nested graphs follow breadth-first, in the order of their positions in the text.
class source_reader {
  using json_reader = baton::detail::json_reader;

  template <class Visit>
  static constexpr void for_each_member(json_reader& in, Visit visit) {
    for (in.open('{'); in.next_item('}');) {
      const auto name = in.key();
      visit(in, name);
    }
  }

 public:
  constexpr explicit source_reader(std::string_view program) : program_(program) {}

  /// Reads the stack traces of all nodes. Returns false if the text is damaged.
  constexpr auto run() -> bool {
    json_reader in(program_);
    for_each_member(in, [this](json_reader& reader, std::string_view name) {
      if (name != "graph_module" || reader.peek() != '{') return reader.skip();
      for_each_member(reader, [this](json_reader& graph, std::string_view key) { key == "graph" ? read_graph(graph) : graph.skip(); });
    });
    bool is_ok = in.ok();
    for (std::size_t i = 0; i < graphs_.size() && is_ok; ++i) {
      json_reader nested(program_, graphs_[i]);
      for_each_member(nested, [this](json_reader& graph, std::string_view key) { key == "graph" ? read_graph(graph) : graph.skip(); });
      is_ok = nested.ok();
    }
    return is_ok;
  }
  constexpr auto lines() -> vector<source_line>& { return lines_; }

 private:
  constexpr void read_graph(json_reader& in) {
    for_each_member(in, [this](json_reader& reader, std::string_view name) {
      if (name != "nodes") return reader.skip();
      for (reader.open('['); reader.next_item(']');) read_node(reader);
    });
  }
  constexpr void read_node(json_reader& in) {
    lines_.push_back({});
    for_each_member(in, [this](json_reader& reader, std::string_view name) {
      if (name == "metadata" && reader.peek() == '{')
        return for_each_member(reader, [this](auto& each, auto key) { read_metadata(each, key); });
      if (name != "inputs") return reader.skip();
      for (reader.open('['); reader.next_item(']');) {
        for_each_member(reader, [this](json_reader& argument, std::string_view key) {
          if (key != "arg" || argument.peek() != '{') return argument.skip();
          for_each_member(argument, [this](json_reader& value, std::string_view kind) {
            if (kind == "as_graph") graphs_.push_back(value.position());
            value.skip();
          });
        });
      }
    });
  }
  constexpr void read_metadata(json_reader& in, std::string_view name) {
    if (name != "stack_trace" || in.peek() != '"') return in.skip();
    lines_.back() = baton::detail::source_line_of(view(baton::detail::json_text(in.text())));
  }

  std::string_view program_;
  vector<std::size_t> graphs_;  ///< the text positions of the graphs that are arguments of nodes
  vector<source_line> lines_;
};

}  // namespace detail

/// Returns the lines of the nodes of a program, indexed by debug handle - 1. An empty `entry` selects the default program. Fails with
/// `damaged_model` if the archive or the text of the program is damaged. Fails with `unknown_name` if the archive has no program `entry`,
/// and with `unsupported_model` if the archive does not have the layout of torch.export.
constexpr auto source_lines_of(span<const char> bytes, std::string_view entry = {}) -> result<vector<source_line>> {
  const auto archive = detail::zip_archive::read(bytes);
  if (!archive) return archive.error;
  const auto texts = detail::texts_of(archive.value, entry);
  if (!texts) return texts.error;
  const auto& record = *texts.value.texts[2];
  detail::source_reader reader({record.bytes.data(), record.bytes.size()});
  if (!reader.run())
    return broken<"damaged_model">("the stack traces of program ", view(detail::printable_name(texts.value.name)), " cannot be read");
  return std::move(reader.lines());
}

}  // namespace baton::pt2
