// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads the JSON items of a torch.export program, and writes entries of the index. The index is the data that the importer needs from the
// JSON texts, as 32-bit words (`pt2_index.hpp`). The items are nodes, lists of arguments, values, symbols and their ranges, tensor tables,
// and the signature (the list of the program's inputs and outputs).
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_words.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pt2::detail {

/// A writer of index entries (`entry`). Each `add_` function that writes an entry reads one item of the JSON text. After an error of the
/// JSON reader, the entries must not be used.
class entry_writer : public word_writer {
 public:
  using word_writer::word_writer;

  constexpr void add_tensor(std::string_view name, bool is_constant) {
    const auto first = begin(entry::config);
    std::string_view path;
    bool is_pickle = false;
    std::int64_t type = 0, offset = 0;
    add_name(name);
    const auto fields = words.size();
    for (int i = 0; i < 6; ++i) add(0);
    std::uint32_t sizes = 0, strides = 0;
    json.open('{');
    while (json.next_item('}')) {
      const auto each = json.key();
      if (each == key::path_name) {
        path = json.text();
      } else if (each == key::use_pickle) {
        is_pickle = json.boolean();
      } else if (each == key::tensor_meta && json.peek() == '{') {
        json.open('{');
        while (json.next_item('}')) {
          const auto fact = json.key();
          if (fact == key::dtype) {
            type = json.integer();
          } else if (fact == key::sizes) {
            sizes = static_cast<std::uint32_t>(words.size() - first + 2);
            add_sizes();
          } else if (fact == key::strides) {
            strides = static_cast<std::uint32_t>(words.size() - first + 2);
            add_sizes();
          } else if (fact == key::storage_offset) {
            const auto before = words.size();
            if (add_size()) json.fail();
            if (json.ok()) offset = word_reader(words.data() + before).number();
          } else {
            json.skip();
          }
        }
      } else {
        json.skip();
      }
    }
    // The fields are {path, flags, position of the sizes, position of the strides, dtype}. Flag 1 marks a pickle, and flag 2 a constant.
    // Positions are in words, from the beginning of the entry. The offset of the tensor in its storage follows the sizes and strides.
    set_text(fields, path);
    words[fields + 2] = (is_pickle ? 1u : 0u) | (is_constant ? 2u : 0u);
    words[fields + 3] = sizes;
    words[fields + 4] = strides;
    words[fields + 5] = static_cast<std::uint32_t>(dtype_number(type));
    add_integer(offset);
    end(first);
  }

  constexpr void add_arguments(entry kind) {
    const auto first = begin(kind);
    std::uint32_t count = 0;
    add(0);
    json.open('[');
    for (; json.next_item(']'); ++count) add_argument();
    words[first] = count;
    end(first);
  }

  constexpr void add_node() {
    const auto first = begin(entry::node) - 2;
    for (std::size_t i = 2; i < node_entry::size; ++i) add(0);
    json.open('{');
    while (json.next_item('}')) {
      const auto name = json.key();
      if (name == key::inputs) {
        const auto position = words.size() - first;
        const auto count = add_inputs();
        words[first + 8] = count;
        words[first + 10] = static_cast<std::uint32_t>(position);
      } else if (name == key::outputs) {
        words[first + 11] = static_cast<std::uint32_t>(words.size() - first);
        std::uint32_t count = 0;
        json.open('[');
        for (; json.next_item(']'); ++count) add_argument();
        words[first + 9] = count;
      } else if (name == key::target) {
        auto target = json.text();
        if (target.starts_with("torch.ops.")) target.remove_prefix(10);
        const auto hash = hash_of(target);
        set_text(first + 4, target);
        words[first + 6] = static_cast<std::uint32_t>(hash);
        words[first + 7] = static_cast<std::uint32_t>(hash >> 32);
      } else if (name == key::name && json.peek() == '"') {
        set_text(first + 2, json.text());
      } else {
        json.skip();
      }
    }
    end(first + 2);
  }
  /// Reads the inputs of a node. Writes the keyword of each input as a text (empty if the input is positional), then the argument of the
  /// input. Returns the number of inputs.
  constexpr auto add_inputs() -> std::uint32_t {
    std::uint32_t count = 0;
    json.open('[');
    for (; json.next_item(']'); ++count) {
      const auto keyword = words.size();
      add(0);
      add(0);
      std::string_view name;
      std::int64_t kind = 1;
      bool has_argument = false;
      json.open('{');
      while (json.next_item('}')) {
        const auto part_name = json.key();
        if (part_name == key::arg && !has_argument) {
          add_argument();
          has_argument = true;
        } else if (part_name == key::name) {
          name = json.text();
        } else if (part_name == key::kind && json.peek() != 'n') {
          kind = json.integer();
        } else {
          json.skip();
        }
      }
      if (!has_argument) json.fail();
      if (kind == 2 && name.empty()) json.fail();
      if (kind == 2 && json.ok()) set_text(keyword, name);
    }
    return count;
  }

  constexpr void add_value(std::string_view name) {
    const auto first = begin(entry::tensor_value);
    add_name(name);
    add(static_cast<std::uint32_t>(dtype_number(0)));
    bool has_type = false, has_sizes = false;
    json.open('{');
    while (json.next_item('}')) {
      const auto fact = json.key();
      if (fact == key::dtype && !has_type) {
        words[first + 3] = static_cast<std::uint32_t>(dtype_number(json.integer()));
        has_type = true;
      } else if (fact == key::sizes && !has_sizes) {
        add_sizes();
        has_sizes = true;
      } else {
        json.skip();
      }
      if (!has_type || !has_sizes) continue;
      json.leave();
      break;
    }
    if (!has_type || !has_sizes) json.fail();
    end(first);
  }
  constexpr void add_symbol(std::string_view name) {
    const auto first = begin(entry::symbol);
    add_name(name);
    add(0);
    if (add_size()) words[first + 3] = 1;
    end(first);
  }
  constexpr void add_range(std::string_view name) {
    std::int64_t min = 0, max = INT64_MAX;
    json.open('{');
    while (json.next_item('}')) {
      const auto bound = json.key();
      const bool is_min = bound == key::min_val, is_number = json.peek() == '-' || (json.peek() >= '0' && json.peek() <= '9');
      if ((is_min || bound == key::max_val) && is_number) {
        (is_min ? min : max) = json.integer();
      } else {
        json.skip();
      }
    }
    const auto first = begin(entry::range);
    add_name(name);
    add_integer(min);
    add_integer(max);
    end(first);
  }
  static constexpr auto kind_of(std::string_view name) -> spec {
    if (name == key::parameter || name == key::parameter_mutation) return spec::parameter;
    if (name == key::buffer || name == key::buffer_mutation) return spec::buffer;
    if (name == key::tensor_constant) return spec::constant;
    if (name == key::user_input || name == key::user_output) return spec::user;
    return name == key::user_input_mutation ? spec::user_input_mutation : spec::other;
  }
  constexpr void add_spec(entry kind) {
    const auto first = begin(kind);
    json.open('{');
    if (!json.next_item('}')) return void(json.fail());
    const auto name = json.key();
    std::string_view target;
    bool is_persistent = true, has_argument = false;
    add(static_cast<std::uint32_t>(kind_of(name)));
    add_text(name);
    if (json.peek() == '{') {
      json.open('{');
      while (json.next_item('}')) {
        const auto fact = json.key();
        if (fact == key::arg && !has_argument) {
          add_spec_argument();
          has_argument = true;
        } else if (fact == key::persistent) {
          is_persistent = json.boolean();
        } else if (fact.ends_with("_name") && json.peek() == '"') {
          target = json.text();
        } else {
          json.skip();
        }
      }
    } else {
      json.skip();
    }
    if (json.next_item('}')) json.fail();
    if (!has_argument) add_no_argument();
    add_name(target);
    add(is_persistent ? 1 : 0);
    end(first);
  }
};

}  // namespace baton::pt2::detail
