// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The elements of small constants of whole numbers, as passes read and write them.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace baton {

/// The elements of a tensor of int32 or int64 whose data never changes; `is_known` is false of every other.
struct known_integers {
  static constexpr std::size_t most = 64;  ///< elements; shapes, axes and paddings have fewer

  bool is_known = false;
  vector<std::int64_t> elements;
};

/// How many bytes an element has of which `known_integers` knows; 0: of none.
constexpr auto bytes_of_integer(dtype type) -> std::size_t { return type == dtype::int32 ? 4 : type == dtype::int64 ? 8 : 0; }

/// What is known of a value, `none` among them.
constexpr auto integers_in(const program_view& program, value_id id) -> known_integers {
  known_integers found;
  if (id == none<value_id>) return found;
  const auto& record = program[id];
  const auto width = bytes_of_integer(record.type);
  const auto count = element_count(program.shape(id));
  const bool is_constant = is_owned_data(record.kind) && record.kind != value_kind::mutable_buffer && record.quant.channels == 0;
  if (width == 0 || !is_constant || count < 0 || static_cast<std::uint64_t>(count) > known_integers::most) return found;
  const auto bytes = program.data(record.data);
  if (bytes.size() != width * static_cast<std::size_t>(count)) return found;
  found.is_known = true;
  for (std::size_t i = 0; i < bytes.size(); i += width) {
    std::uint64_t bits = 0;
    for (std::size_t b = width; b-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[i + b]);
    found.elements.push_back(width == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)) : static_cast<std::int64_t>(bits));
  }
  return found;
}

/// Whether all numbers fit a dtype, int32 or int64.
constexpr auto fit(std::span<const std::int64_t> numbers, dtype type) -> bool {
  if (bytes_of_integer(type) == 8) return true;
  for (const auto number : numbers) {
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max()) return false;
  }
  return bytes_of_integer(type) == 4;
}

/// The bytes of a tensor of int32 or int64 with these elements, which fit.
constexpr auto bytes_of(std::span<const std::int64_t> numbers, dtype type) -> text_buffer {
  text_buffer bytes;
  for (const auto number : numbers) {
    for (std::size_t b = 0; b < bytes_of_integer(type); ++b) {
      bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * b) & 0xff));
    }
  }
  return bytes;
}

}  // namespace baton
