// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads the JSON texts of a program of torch.export once, and writes the index: the data that the importer needs from the texts, as 32-bit
// words (`pt2_index.hpp`).
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/pt2_archive.hpp>
#include <baton/import/detail/pt2_entries.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_words.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// The position at which the indexer continues. The texts are the table of weights, the table of constants, the program with the root
/// graph (graph 0), and then graphs 1, 2, and so on.
struct index_position {
  /// The innermost JSON object or list that is open. `values` is the object `tensor_values` of a graph or `config` of a table.
  enum class part : std::uint8_t { none, top, module, graph, nodes, values };

  std::uint32_t text = 0;  ///< the number of the text in the order above, counted from 0
  part inside = part::none;
  std::uint32_t at = 0;  ///< the position in the text, in bytes
  std::uint32_t graph_count = 1;
  std::uint32_t graph_at[max_graphs] = {};  ///< the position of each graph in the file, in bytes
  bool is_done = false;
};

/// A reader of the texts from a position. It reads about `max_bytes` bytes, and stops only between two nodes, two values of a graph, two
/// tensors of a table, or two texts. Therefore several constant expressions can each read a piece of one text.
class indexer {
 public:
  using part = index_position::part;
  static constexpr std::int64_t schema_major = 8;

  constexpr indexer(span<const char> file, const program_texts& from, const index_position& start, std::size_t max_bytes)
      : out_(file.data()),
        file_(file),
        from_(from),
        at_(start),
        max_bytes_(max_bytes) {
    out_.graph_count = start.graph_count;
    for (std::uint32_t i = 1; i < start.graph_count; ++i) out_.graph_at[i] = start.graph_at[i];
  }

  /// Reads until the end of the texts or the limit of `max_bytes`. Returns false after an error.
  constexpr auto run() -> bool {
    while (!why_) {
      if (at_.text >= program_texts::count && at_.text - program_texts::count + 1 >= out_.graph_count) {
        at_.is_done = true;
        break;
      }
      begin_text();
      const auto first = at_.at;
      const bool is_read = at_.text < 2 ? read_config() : at_.text == 2 ? read_program() : read_graph_text();
      const auto last = out_.json.position();
      if (!check_text(first, last, is_read)) break;
      at_.at = static_cast<std::uint32_t>(last);
      read_bytes_ += last - first;
      if (!is_read) break;
      at_.text += 1;
      at_.inside = part::none;
      at_.at = 0;
      if (is_full()) break;
    }
    at_.graph_count = out_.graph_count;
    for (std::uint32_t i = 1; i < out_.graph_count; ++i) at_.graph_at[i] = out_.graph_at[i];
    return !why_;
  }

  constexpr auto why() const -> const failure& { return why_; }
  constexpr auto words() const -> const vector<std::uint32_t>& { return out_.words; }
  constexpr auto position() const -> const index_position& { return at_; }

 private:
  constexpr auto record_of_text() const -> const zip_record* { return from_.texts[at_.text < 2 ? at_.text : 2]; }
  constexpr auto text() const -> std::string_view {
    const auto* record = record_of_text();
    return record == nullptr ? std::string_view{} : std::string_view{record->bytes.data(), record->bytes.size()};
  }
  /// Sets the JSON reader to the current position.
  constexpr void begin_text() {
    if (at_.text >= program_texts::count && at_.inside == part::none)
      at_.at = out_.graph_at[at_.text - program_texts::count + 1] - static_cast<std::uint32_t>(text().data() - file_.data());
    out_.json = baton::detail::json_reader(text(), at_.at);
  }
  constexpr auto is_full() -> bool { return read_bytes_ >= max_bytes_; }
  /// True if the limit is reached inside a text. `first` is the position at which this indexer began to read the text.
  constexpr auto is_full_at(std::size_t first) -> bool { return out_.json.position() - first + read_bytes_ >= max_bytes_; }

  /// Checks that the text from `first` to `last` has valid syntax and is UTF-8. `is_read` is true if the text has been read to its end.
  constexpr auto check_text(std::size_t first, std::size_t last, bool is_read) -> bool {
    const auto* record = record_of_text();
    if (record == nullptr) return true;
    if (at_.text == 2 && is_read && out_.json.ok() && out_.json.peek() != '\0') out_.json.fail();
    if (!out_.json.ok()) return refuse(*record);
    if (at_.text > 2) return true;  // the graph is inside the text of the program, whose UTF-8 is already checked
    const auto bad = baton::detail::json_reader::first_not_utf8(text().substr(first, last - first));
    if (bad == last - first) return true;
    why_ = broken<"damaged_model">("record ", view(printable_name(record->name)), " is not UTF-8 at its byte ", first + bad);
    return false;
  }
  constexpr auto refuse(const zip_record& record) -> bool {
    using error = baton::detail::json_reader::error;
    if (why_) return false;
    const auto name = printable_name(record.name);
    const auto at = out_.json.position();
    if (out_.has_too_many_graphs) {
      why_ = broken<"unsupported_model">("record ", view(name), " has more than ", max_graphs, " graphs, at its byte ", at);
    } else if (out_.json.why() == error::depth) {
      why_ = broken<"damaged_model">("record ", view(name), " is nested deeper than ", baton::detail::json_reader::max_depth,
                                     " levels at its byte ", at);
    } else if (out_.json.why() == error::number) {
      why_ = broken<"damaged_model">("record ", view(name), " has an invalid number at its byte ", at);
    } else if (at == record.bytes.size()) {
      why_ = broken<"damaged_model">("record ", view(name), " ends in the middle of a value, at its byte ", at);
    } else {
      why_ = broken<"damaged_model">("record ", view(name), " has an unexpected value at its byte ", at);
    }
    return false;
  }

  // Tables of tensors

  /// Reads the tensors of a table, from the current position. Returns true at the end of the table, or if the archive has no such table.
  /// Returns false at the limit and after an error.
  constexpr auto read_config() -> bool {
    if (record_of_text() == nullptr) return true;
    const auto first = at_.at;
    auto& json = out_.json;
    if (at_.inside == part::none) json.open('{'), at_.inside = part::top;
    for (;;) {
      if (at_.inside == part::top) {
        if (!json.next_item('}')) return json.ok();
        if (json.key() != key::config) {
          json.skip();
          continue;
        }
        json.open('{');
        at_.inside = part::values;
      }
      while (json.next_item('}')) {
        out_.add_tensor(json.key(), at_.text == 1);
        if (is_full_at(first)) return false;
      }
      at_.inside = part::top;
    }
  }
  // Programs

  constexpr auto read_program() -> bool {
    auto& json = out_.json;
    if (at_.inside == part::none) json.open('{'), at_.inside = part::top;
    if (at_.inside != part::top && !read_module()) return false;
    while (json.next_item('}')) {
      const auto name = json.key();
      if (name == key::graph_module) {
        json.open('{');
        at_.inside = part::module;
        if (!read_module()) return false;
      } else if (name == key::range_constraints && json.peek() == '{') {
        json.open('{');
        while (json.next_item('}')) out_.add_range(json.key());
      } else if (name == key::schema_version) {
        check_version();
      } else {
        json.skip();
      }
    }
    return json.ok();
  }
  constexpr auto read_module() -> bool {
    auto& json = out_.json;
    if (at_.inside != part::module && !read_graph(part::module)) return false;
    while (json.next_item('}')) {
      const auto name = json.key();
      if (name == key::graph) {
        begin_graph(0);
        if (!read_graph(part::module)) return false;
      } else if (name == key::signature) {
        read_signature();
      } else {
        json.skip();
      }
    }
    at_.inside = part::top;
    return json.ok();
  }
  constexpr auto read_graph_text() -> bool {
    if (at_.inside == part::none) begin_graph(at_.text - static_cast<std::uint32_t>(program_texts::count) + 1);
    return read_graph(part::none);
  }
  constexpr void begin_graph(std::uint32_t number) {
    const auto first = out_.begin(entry::graph);
    out_.add(number);
    out_.end(first);
    out_.json.open('{');
    at_.inside = part::graph;
  }
  /// Reads the remaining items of a list of nodes or values. Returns false at the limit and after an error.
  template <class Read>
  constexpr auto read_items(char bracket, Read read) -> bool {
    const auto first = at_.at;
    while (out_.json.next_item(bracket)) {
      read();
      if (is_full_at(first)) return false;
    }
    at_.inside = part::graph;
    return out_.json.ok();
  }

  constexpr auto read_graph(part outer) -> bool {
    auto& json = out_.json;
    for (;;) {
      if (at_.inside == part::nodes && !read_items(']', [&] { out_.add_node(); })) return false;
      if (at_.inside == part::values && !read_items('}', [&] { out_.add_value(json.key()); })) return false;
      if (!json.next_item('}')) break;
      const auto name = json.key();
      if (name == key::nodes) {
        json.open('[');
        at_.inside = part::nodes;
      } else if (name == key::tensor_values) {
        json.open('{');
        at_.inside = part::values;
      } else if (name == key::inputs) {
        out_.add_arguments(entry::inputs);
      } else if (name == key::outputs) {
        out_.add_arguments(entry::outputs);
      } else if (name == key::sym_int_values && json.peek() == '{') {
        json.open('{');
        while (json.next_item('}')) out_.add_symbol(json.key());
      } else {
        json.skip();
      }
    }
    at_.inside = outer;
    return json.ok();
  }
  constexpr void check_version() {
    auto& json = out_.json;
    std::int64_t version = 0;
    json.open('{');
    while (json.next_item('}')) {
      if (json.key() == key::major) {
        version = json.integer();
      } else {
        json.skip();
      }
    }
    if (!json.ok() || version == schema_major) return;
    why_ = broken<"unsupported_model">("record ", view(printable_name(record_of_text()->name)), " has version ", version,
                                       " of the schema; the importer reads version ", schema_major);
  }

  constexpr void read_signature() {
    auto& json = out_.json;
    json.open('{');
    while (json.next_item('}')) {
      const auto name = json.key();
      if (name == key::input_specs || name == key::output_specs) {
        json.open('[');
        while (json.next_item(']')) out_.add_spec(name == key::input_specs ? entry::input_spec : entry::output_spec);
      } else {
        json.skip();
      }
    }
  }
  entry_writer out_;
  span<const char> file_;
  program_texts from_;
  index_position at_;
  std::size_t max_bytes_;
  std::size_t read_bytes_ = 0;
  failure why_;
};

}  // namespace baton::pt2::detail
