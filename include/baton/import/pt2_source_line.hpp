// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lines of Python that the nodes of a torch.export archive come from. The importer skips them, so that constants stay small; tools read
// them at run time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/json_text.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/zip_archive.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::pt2 {

/// A line of Python: the innermost call in the stack trace of a node that is not in a file of PyTorch. Empty if the file has no stack
/// trace.
struct source_line {
  text_buffer file;  ///< as in the stack trace
  std::uint32_t line = 0;
  text_buffer function;
  text_buffer code;  ///< the text of the line

  /// Returns the lines of the nodes of a program, indexed by debug handle - 1. An empty `entry` selects the default program. Fails with
  /// `damaged_model` if the bytes are no archive, or if its text is damaged, with `unknown_name` and with `unsupported_model`.
  static constexpr auto all_of(span<const char> bytes, std::string_view entry = {}) -> result<vector<source_line>>;
};

namespace detail {

/// Returns the line of a stack trace. Each call is `File "<file>", line <n>, in <function>`, and then a line with its code.
constexpr auto source_line_of(std::string_view trace) -> source_line {
  constexpr std::string_view begin{"File \""}, number{"\", line "}, function{", in "};
  source_line found;
  for (auto at = trace.find(begin); at != trace.npos;) {
    const auto next = trace.find(begin, at + 1);
    const auto call = trace.substr(at + begin.size(), next == trace.npos ? next : next - at - begin.size());
    at = next;
    const auto file = call.substr(0, call.find(number));
    const bool is_of_library = file.starts_with("torch/") || file.starts_with("<") || file.find("/torch/") != file.npos;
    if (file.size() == call.size() || (is_of_library && !found.file.empty())) continue;
    found = {};
    append(found.file, file);
    auto rest = call.substr(file.size() + number.size());
    while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
      found.line = 10 * found.line + static_cast<std::uint32_t>(rest[0] - '0');
      rest.remove_prefix(1);
    }
    const auto end = rest.find('\n');
    if (rest.starts_with(function)) append(found.function, rest.substr(function.size(), end == rest.npos ? end : end - function.size()));
    if (end == rest.npos) continue;
    rest.remove_prefix(end + 1);
    rest = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(rest.find_first_not_of(' ') == rest.npos ? rest.size() : rest.find_first_not_of(' '));
    append(found.code, rest);
  }
  return found;
}

/// Reads the stack traces of all graphs of a program, in the order of debug handles: graph by graph, in the order in which they begin.
class source_reader {
  using json_reader = baton::detail::json_reader;

  template <class Visit>
  static constexpr void for_each_member(json_reader& in, Visit visit) {
    for (in.open('{'); in.more('}');) {
      const auto name = in.key();
      visit(in, name);
    }
  }

 public:
  constexpr explicit source_reader(std::string_view program) : program_(program) {}

  /// Returns false if the text is damaged.
  constexpr auto run() -> bool {
    json_reader in(program_);
    for_each_member(in, [this](json_reader& of, std::string_view name) {
      if (name != "graph_module" || of.peek() != '{') return of.skip();
      for_each_member(of, [this](json_reader& graph, std::string_view key) { key == "graph" ? read_graph(graph) : graph.skip(); });
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
    for_each_member(in, [this](json_reader& of, std::string_view name) {
      if (name != "nodes") return of.skip();
      for (of.open('['); of.more(']');) read_node(of);
    });
  }
  constexpr void read_node(json_reader& in) {
    lines_.push_back({});
    for_each_member(in, [this](json_reader& of, std::string_view name) {
      if (name == "metadata" && of.peek() == '{') return for_each_member(of, [this](auto& each, auto key) { read_metadata(each, key); });
      if (name != "inputs") return of.skip();
      for (of.open('['); of.more(']');) {
        for_each_member(of, [this](json_reader& argument, std::string_view key) {
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
    lines_.back() = source_line_of(view(baton::detail::json_text(in.text())));
  }

  std::string_view program_;
  vector<std::size_t> graphs_;  ///< where the graphs of nodes begin
  vector<source_line> lines_;
};

}  // namespace detail

constexpr auto source_line::all_of(span<const char> bytes, std::string_view entry) -> result<vector<source_line>> {
  const auto archive = detail::zip_archive::read(bytes);
  if (!archive) return archive.error;
  const auto texts = detail::texts_of(archive.value, entry);
  if (!texts) return texts.error;
  const auto& record = *texts.value.texts[2];
  detail::source_reader reader({record.bytes.data(), record.bytes.size()});
  if (!reader.run())
    return broken<"damaged_model">("the stack traces of program ", view(detail::shown(texts.value.name)), " cannot be read");
  return std::move(reader.lines());
}

}  // namespace baton::pt2
