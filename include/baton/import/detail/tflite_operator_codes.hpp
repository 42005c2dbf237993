// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operator codes of a model: the operator of each code, and the names of its nodes.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_variables.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// An entry of a model's operator code table, and the number of nodes with this operator in a graph so far.
struct operator_entry {
  const operator_schema* schema = nullptr;  ///< null for a custom operator, and for a builtin operator that `find_operator` does not know
  bool is_custom = false;
  byte_ref target{};
  std::uint64_t op = 0;
  byte_ref stem{};                  ///< the name of the first node of this operator in a graph
  std::uint32_t first = 0;          ///< the position of the first entry with the same operator; only the first entry counts nodes
  graph_id graph = none<graph_id>;  ///< the graph whose nodes are counted
  std::uint32_t nodes = 0;          ///< the number of nodes that are already named in `graph`
};

/// A reader of the table of operator codes, entry by entry.
class operator_codes {
 public:
  using table = flatbuffer::table;

  constexpr explicit operator_codes(reading& model) : reading_(model) {}

  constexpr void add(const table& stored) {
    const auto old_code = std::int32_t{stored.scalar<std::int8_t>(slot::operator_code::deprecated_builtin_code)};
    const auto new_code = stored.scalar<std::int32_t>(slot::operator_code::builtin_code);
    const auto code = new_code > old_code ? new_code : old_code;
    reading_.charge_records(1);
    auto entry = operator_entry{.first = static_cast<std::uint32_t>(entries_.size())};
    variable_uses_.push_back(variable_use_of(code));
    if (code == custom_operator) {
      entry.is_custom = true;
      name_operator(entry, join(prefix, "custom.", stored.text(slot::operator_code::custom_code)));
    } else if (const auto* schema = find_operator(code)) {
      entry.schema = schema;
      entry.target = program_builder::view(schema->name.text);
      entry.op = schema->name.hash;
      entry.stem = program_builder::view(schema->name.text.substr(prefix.size()));
      auto& first = first_of_[static_cast<std::size_t>(code)];
      if (first == 0) first = entry.first + 1;
      entry.first = first - 1;
    } else {
      name_operator(entry, join(prefix, "builtin_", code));
    }
    entries_.push_back(entry);
  }

  constexpr auto size() const -> std::size_t { return entries_.size(); }
  constexpr auto operator[](std::size_t at) const -> const operator_entry& { return entries_[at]; }
  constexpr auto has_custom() const -> bool {
    for (const auto& each : entries_) {
      if (each.is_custom) return true;
    }
    return false;
  }
  /// True if the model's table has the builtin operator `code`. The importer must know this operator (`find_operator`). O(1).
  constexpr auto has(std::int32_t code) const -> bool { return first_of_[static_cast<std::size_t>(code)] != 0; }
  /// Returns the operation on resource variables that each operator performs, indexed by position in the table.
  constexpr auto variable_uses() const -> const vector<variable_use>& { return variable_uses_; }

  /// Returns the name of the next node of an operator: `conv_2d`, `conv_2d_1`, ...
  constexpr auto name_of_node(const operator_entry& entry) -> byte_ref {
    auto& first = entries_[entry.first];
    if (first.graph != reading_.builder.current()) {
      first.graph = reading_.builder.current();
      first.nodes = 0;
    }
    const auto earlier = first.nodes++;
    return earlier == 0 ? entry.stem : reading_.own_numbered(entry.stem, earlier);
  }

 private:
  /// Sets the names of an operator without a schema, and finds the first entry with the same operator.
  constexpr void name_operator(operator_entry& entry, text_buffer name) {
    entry.target = reading_.own(name);
    entry.op = hash_of(baton::view(name));
    for (auto& c : name) c = c == '.' ? '_' : c;
    entry.stem = reading_.own(name);
    constexpr auto skipped = static_cast<std::uint32_t>(prefix.size());
    entry.stem.first += skipped;
    entry.stem.size -= skipped;
    reading_.reader.charge(unlisted_.size());
    for (const auto earlier : unlisted_) {
      if (entries_[earlier].op == entry.op) entry.first = earlier;
    }
    if (entry.first == entries_.size()) unlisted_.push_back(entry.first);
  }

  static constexpr std::string_view prefix = "tfl.";

  reading& reading_;
  vector<operator_entry> entries_;
  vector<variable_use> variable_uses_;
  std::array<std::uint32_t, std::size(operators)> first_of_{};  ///< 1 + the first entry, or 0 if there is none; indexed by builtin code
  vector<std::uint32_t> unlisted_;                              ///< the first entry of each operator without a schema
};

}  // namespace baton::tflite::detail
