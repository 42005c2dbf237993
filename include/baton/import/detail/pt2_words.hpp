// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads the arguments and sizes of a torch.export program, and writes them as 32-bit words of the index. The index is the data that the
// importer needs from the JSON texts (`pt2_index.hpp`).
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/pt2_index.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// The keys of the schema (torch/_export/serde/schema.py, version 8).
namespace key {
inline constexpr std::string_view arg{"arg"}, as_bool{"as_bool"}, as_bools{"as_bools"}, as_device{"as_device"}, as_expr{"as_expr"},
    as_float{"as_float"}, as_floats{"as_floats"}, as_graph{"as_graph"}, as_int{"as_int"}, as_ints{"as_ints"}, as_layout{"as_layout"},
    as_memory_format{"as_memory_format"}, as_name{"as_name"}, as_none{"as_none"}, as_optional_tensor{"as_optional_tensor"},
    as_optional_tensors{"as_optional_tensors"}, as_scalar_type{"as_scalar_type"}, as_string{"as_string"}, as_sym_bool{"as_sym_bool"},
    as_sym_float{"as_sym_float"}, as_sym_int{"as_sym_int"}, as_sym_ints{"as_sym_ints"}, as_tensor{"as_tensor"}, as_tensors{"as_tensors"},
    buffer{"buffer"}, buffer_mutation{"buffer_mutation"}, config{"config"}, dtype{"dtype"}, expr_str{"expr_str"}, graph{"graph"},
    graph_module{"graph_module"}, input_specs{"input_specs"}, inputs{"inputs"}, is_param{"is_param"}, kind{"kind"}, major{"major"},
    max_val{"max_val"}, min_val{"min_val"}, name{"name"}, nodes{"nodes"}, output_specs{"output_specs"}, outputs{"outputs"},
    parameter{"parameter"}, parameter_mutation{"parameter_mutation"}, path_name{"path_name"}, persistent{"persistent"},
    range_constraints{"range_constraints"}, schema_version{"schema_version"}, signature{"signature"}, sizes{"sizes"},
    storage_offset{"storage_offset"}, strides{"strides"}, sym_int_values{"sym_int_values"}, target{"target"},
    tensor_constant{"tensor_constant"}, tensor_meta{"tensor_meta"}, tensor_values{"tensor_values"}, use_pickle{"use_pickle"},
    user_input{"user_input"}, user_input_mutation{"user_input_mutation"}, user_output{"user_output"};
}  // namespace key

/// The maximum number of graphs of a program: the root, the branches and the bodies of loops.
inline constexpr std::uint32_t max_graphs = 256;

/// The lowest number that `dtype_number` returns for an unknown dtype.
inline constexpr std::int64_t first_unknown_dtype = 256;
/// Converts torch.export's number of a dtype to ExecuTorch's number (c10). For an unknown dtype, returns a number of at least
/// `first_unknown_dtype`.
constexpr auto dtype_number(std::int64_t stored) -> std::int64_t {
  return stored >= 1 && stored <= 12 ? stored - 1 : stored == 13 ? 15 : stored == 28 ? 27 : first_unknown_dtype + (stored & 0xffff);
}
/// Converts torch.export's number of a memory format to ExecuTorch's number (c10).
constexpr auto memory_format_number(std::int64_t stored) -> std::int64_t { return stored == 1 ? 0 : stored == 4 ? 1 : stored; }
/// Converts torch.export's number of a layout to ExecuTorch's number (c10), for example 7 to 0 for the strided layout. Returns 255 for an
/// unknown layout.
constexpr auto layout_number(std::int64_t stored) -> std::int64_t {
  constexpr std::array<std::uint8_t, 8> numbers{255, 1, 2, 4, 5, 6, 3, 0};
  return stored >= 0 && stored < 8 ? numbers[static_cast<std::size_t>(stored)] : 255;
}

/// A writer of words of the index. It reads a JSON text that is inside the bytes of the file.
class word_writer {
 public:
  constexpr explicit word_writer(const char* file) : file_(file) {}

  baton::detail::json_reader json{};
  vector<std::uint32_t> words;
  std::uint32_t graph_count = 1;
  std::uint32_t graph_at[max_graphs] = {};  ///< the positions of the graphs in the file, in bytes
  bool has_too_many_graphs = false;

  constexpr void add(std::uint32_t word) { words.push_back(word); }
  constexpr void add_number(std::uint64_t number) {
    words.push_back(static_cast<std::uint32_t>(number));
    words.push_back(static_cast<std::uint32_t>(number >> 32));
  }
  constexpr void add_integer(std::int64_t number) { add_number(static_cast<std::uint64_t>(number)); }
  constexpr void add_text(std::string_view text) {
    words.push_back(text.empty() ? 0 : static_cast<std::uint32_t>(text.data() - file_));
    words.push_back(static_cast<std::uint32_t>(text.size()));
  }
  /// Overwrites the two words at `at` with a text.
  constexpr void set_text(std::size_t at, std::string_view text) {
    words[at] = text.empty() ? 0 : static_cast<std::uint32_t>(text.data() - file_);
    words[at + 1] = static_cast<std::uint32_t>(text.size());
  }
  constexpr void add_name(std::string_view name) {
    add_text(name);
    words.push_back(static_cast<std::uint32_t>(hash_of(name)));
  }
  /// Begins an entry or an argument. Returns the position of the first word after {kind, size}. Pass this position to `end` or
  /// `end_argument`.
  constexpr auto begin(std::uint32_t kind) -> std::size_t {
    words.push_back(kind);
    words.push_back(0);
    return words.size();
  }
  constexpr auto begin(entry kind) -> std::size_t { return begin(static_cast<std::uint32_t>(kind)); }
  constexpr auto begin(argument kind) -> std::size_t { return begin(static_cast<std::uint32_t>(kind)); }
  /// Ends an entry: sets its size in words, which includes {kind, size}.
  constexpr void end(std::size_t first) { words[first - 1] = static_cast<std::uint32_t>(words.size() - first + 2); }
  /// Ends an argument: sets the size of its payload in words.
  constexpr void end_argument(std::size_t first) { words[first - 1] = static_cast<std::uint32_t>(words.size() - first); }

  // Clang requires that these templates are defined before their first use.

  template <class Read>
  constexpr void add_value(argument kind, Read read) {
    const auto first = begin(kind);
    read();
    end_argument(first);
  }
  template <class Read>
  constexpr void add_list(argument kind, Read read) {
    const auto first = begin(kind);
    std::uint32_t count = 0;
    add(0);
    json.open('[');
    for (; json.next_item(']'); ++count) read();
    words[first] = count;
    end_argument(first);
  }
  /// Reads an object and returns the text at the key `wanted`, or an empty text if the object has no such key.
  constexpr auto text_at(std::string_view wanted) -> std::string_view {
    std::string_view result;
    json.open('{');
    while (json.next_item('}')) {
      if (json.key() == wanted) {
        result = json.text();
      } else {
        json.skip();
      }
    }
    return result;
  }

  /// Reads a list of sizes and writes it as `stored_sizes`.
  constexpr void add_sizes() {
    const auto first = words.size();
    std::uint32_t count = 0, expression_mask = 0;
    add(0);
    add(0);
    json.open('[');
    while (json.next_item(']')) {
      if (count == stored_sizes::max_rank) return void(json.fail());
      expression_mask |= add_size() ? 1u << count : 0;
      ++count;
    }
    words[first] = count;
    words[first + 1] = expression_mask;
  }
  /// Reads a size and writes its two words. Returns true if the size is an expression.
  constexpr auto add_size() -> bool {
    bool is_expression = false, is_known = false;
    json.open('{');
    while (json.next_item('}')) {
      const auto name = json.key();
      if (is_known) {
        json.skip();
      } else if (name == key::as_int) {
        add_integer(json.integer());
        is_known = true;
      } else if (name == key::as_expr) {
        add_text(text_at(key::expr_str));
        is_expression = is_known = true;
      } else {
        json.fail();
      }
    }
    if (!is_known) json.fail();
    return is_expression;
  }

  /// Reads the argument of an item of the signature, the list of the program's inputs and outputs. The argument is an object with the key
  /// `name` (a tensor), or with a kind of argument as its key.
  constexpr void add_spec_argument() {
    json.open('{');
    if (!json.next_item('}')) return void(json.fail());
    const auto name = json.key();
    if (name == key::name) {
      add_value(argument::tensor, [&] { add_name(json.text()); });
    } else {
      add_argument_of(name);
    }
    if (json.next_item('}')) json.fail();
  }
  constexpr void add_no_argument() {
    add_value(argument::none, [] {});
  }

  /// Reads an argument: an object whose only key is the kind.
  constexpr void add_argument() {
    json.open('{');
    if (json.next_item('}')) {
      add_argument_of(json.key());
      if (json.next_item('}')) json.fail();
    } else {
      add_argument_of({});
    }
  }

 private:
  constexpr void add_argument_of(std::string_view name) {
    if (name == key::as_tensor) return add_tensor();
    if (name == key::as_int) return add_value(argument::integer, [&] { add_integer(json.integer()); });
    if (name == key::as_ints) return add_list(argument::integers, [&] { add_integer(json.integer()); });
    if (name == key::as_float) return add_value(argument::real, [&] { add_number(std::bit_cast<std::uint64_t>(json.real())); });
    if (name == key::as_scalar_type) return add_value(argument::integer, [&] { add_integer(dtype_number(json.integer())); });
    if (name == key::as_bool) return add_value(argument::integer, [&] { add_integer(json.boolean() ? 1 : 0); });
    if (name == key::as_tensors) return add_list(argument::tensors, [&] { add_tensor(); });
    if (name == key::as_none) return add_value(argument::none, [&] { json.skip(); });
    if (name == key::as_string) return add_value(argument::text, [&] { add_text(json.text()); });
    if (name == key::as_optional_tensor) return add_optional_tensor();
    if (name == key::as_optional_tensors) return add_list(argument::tensors, [&] { add_optional_tensor(); });
    if (name == key::as_floats) return add_list(argument::reals, [&] { add_number(std::bit_cast<std::uint64_t>(json.real())); });
    if (name == key::as_bools) return add_list(argument::integers, [&] { add_integer(json.boolean() ? 1 : 0); });
    if (name == key::as_sym_int || name == key::as_sym_bool || name == key::as_sym_float) return add_symbol(name == key::as_sym_float);
    if (name == key::as_sym_ints) return add_list(argument::symbols, [&] { add_symbol(false); });
    if (name == key::as_memory_format) return add_value(argument::integer, [&] { add_integer(memory_format_number(json.integer())); });
    if (name == key::as_layout) return add_value(argument::integer, [&] { add_integer(layout_number(json.integer())); });
    if (name == key::as_device) return add_value(argument::device, [&] { json.skip(); });
    if (name == key::as_graph) return add_value(argument::graph, [&] { add_graph(); });
    add_value(argument::other, [&] {
      add_text(name);
      if (!name.empty()) json.skip();
    });
  }

  constexpr void add_tensor() {
    const auto first = begin(argument::tensor);
    add_name(text_at(key::name));
    end_argument(first);
  }
  constexpr void add_optional_tensor() {
    json.open('{');
    if (!json.next_item('}')) return void(json.fail());
    if (json.key() == key::as_tensor) {
      add_tensor();
    } else {
      add_value(argument::none, [&] { json.skip(); });
    }
    if (json.next_item('}')) json.fail();
  }
  /// Reads a symbolic number: its value (an integer, a boolean or, if `is_real`, a real), or the name of a symbol.
  constexpr void add_symbol(bool is_real) {
    json.open('{');
    if (!json.next_item('}')) return void(json.fail());
    const auto name = json.key();
    if (name == key::as_name) {
      add_value(argument::symbol, [&] { add_name(json.text()); });
    } else {
      add_argument_of(name == key::as_int || name == key::as_bool || (is_real && name == key::as_float) ? name : std::string_view{});
    }
    if (json.next_item('}')) json.fail();
  }
  /// Writes the number and the name of a graph. Stores the position of the graph in `graph_at`, because the graphs of branches and loops
  /// are read after the text of the program.
  constexpr void add_graph() {
    std::string_view name;
    bool has_graph = false;
    if (graph_count == max_graphs) has_too_many_graphs = true, json.fail();
    const auto number = graph_count;
    json.open('{');
    while (json.next_item('}')) {
      const auto part = json.key();
      if (part == key::name) {
        name = json.text();
      } else if (part == key::graph && !has_graph && json.peek() == '{') {
        graph_at[number] = static_cast<std::uint32_t>(json.pointer() - file_);
        has_graph = true;
        json.skip();
      } else {
        json.skip();
      }
    }
    if (!has_graph) return void(json.fail());
    graph_count += 1;
    add(number);
    add_text(name);
  }

  const char* file_;
};

}  // namespace baton::pt2::detail
