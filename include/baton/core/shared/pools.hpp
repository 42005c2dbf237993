// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Appends records, bytes, attributes and compile specs to the pools of a program (arrays of all records of one kind).
#pragma once

#include <baton/core/compile_specs.hpp>
#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

/// Appends a record to a pool and returns its position.
template <class T>
constexpr auto add_to(vector<T>& pool, const std::type_identity_t<T>& record) -> std::uint32_t {
  pool.push_back(record);
  return static_cast<std::uint32_t>(pool.size() - 1);
}
/// Appends records to a pool and returns their range.
template <class T>
constexpr auto add_to(vector<T>& pool, span<const T> records) -> range {
  const auto count = records.size();
  return {static_cast<std::uint32_t>(pool.append(records.data(), count)), static_cast<std::uint32_t>(count)};
}
/// Appends a copy of the records `records` to their pool, and returns the range of the copy. Changes to the copy do not affect other
/// records that refer to `records`.
template <class T>
constexpr auto append_copy(vector<T>& pool, range records) -> range {
  const vector<T> copy(pool.begin() + records.first, pool.begin() + records.first + records.size);
  return add_to(pool, span<const T>{copy});
}
/// Appends text or bytes to the byte pool of a program, and returns a reference to them. `text` may be in the pool.
constexpr auto own_bytes(exported_program& program, std::string_view text) -> byte_ref {
  const auto size = text.size();
  return {nullptr, static_cast<std::uint32_t>(program.bytes.append(text.data(), size)), static_cast<std::uint32_t>(size)};
}

/// Returns the record of a value. Adds the name and the shape of the value to the pools, but not the record.
constexpr auto own_value(exported_program& program, std::string_view name, const tensor_type& type, value_kind kind) -> value {
  return {.name = own_bytes(program, name), .type = type.type, .kind = kind, .shape = add_to(program.integers, type.shape())};
}
/// Returns the record of a node. Adds the names of the node and of the operator to the byte pool, but does not add the record.
constexpr auto own_node(exported_program& program, std::string_view name, std::string_view op) -> node {
  return {.name = own_bytes(program, name), .target = own_bytes(program, op), .op = hash_of(op)};
}
/// Returns the record of an attribute. Adds the name, the text and the list of the attribute to the pools, but not the record.
constexpr auto own_attribute(exported_program& program, const named_literal& literal) -> attribute {
  return {.name = own_bytes(program, literal.name),
          .key = hash_of(literal.name),
          .kind = literal.kind,
          .integer = literal.integer,
          .real = literal.real,
          .bytes = own_bytes(program, literal.text),
          .list = add_to(program.integers, literal.list)};
}
/// Appends attributes with their names, texts and lists, and returns their range.
constexpr auto own_attributes(exported_program& program, span<const named_literal> literals) -> range {
  const range records{static_cast<std::uint32_t>(program.attributes.size()), static_cast<std::uint32_t>(literals.size())};
  for (const auto& literal : literals) program.attributes.push_back(own_attribute(program, literal));
  return records;
}

/// Appends compile specs with their keys and values, and returns their range.
constexpr auto own_compile_specs(exported_program& program, const compile_specs& specs) -> range {
  const range records{static_cast<std::uint32_t>(program.compile_specs.size()), static_cast<std::uint32_t>(specs.size())};
  for (const auto& spec : specs) {
    const auto key = own_bytes(program, view(spec.key));
    add_to(program.compile_specs, {key, own_bytes(program, view(spec.value))});
  }
  return records;
}

}  // namespace baton
