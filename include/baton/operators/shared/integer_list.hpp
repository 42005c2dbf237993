// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Short lists of integers, as computed by passes.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/known_integers.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton {

/// The elements of an integer tensor. `is_known` is false if an element is unknown.
struct integer_list {
  static constexpr std::size_t max_size = 64;  ///< the maximum number of elements; shapes, axes and paddings have fewer

  bool is_known = false;
  vector<std::int64_t> elements;
};

/// Returns the size of an element of int32 or int64 in bytes, or 0 for any other dtype.
constexpr auto bytes_of_integer(dtype type) -> std::size_t { return type == dtype::int32 ? 4 : type == dtype::int64 ? 8 : 0; }

/// Returns a copy of `integers`. The result is unknown if `integers` is unknown or has more than `integer_list::max_size` elements.
constexpr auto list_of(const known_integers& integers) -> integer_list {
  integer_list list;
  if (!integers.are_known || integers.count > integer_list::max_size) return list;
  list.is_known = true;
  for (std::size_t i = 0; i < integers.count; ++i) list.elements.push_back(integers[i]);
  return list;
}

/// True if `type` is int32 or int64 and all numbers are in its range.
constexpr auto fit(span<const std::int64_t> numbers, dtype type) -> bool {
  if (bytes_of_integer(type) == 8) return true;
  for (const auto number : numbers) {
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max()) return false;
  }
  return bytes_of_integer(type) == 4;
}

/// True if the list is known and fits the value `id`. The number of elements must match, and the elements must be in the range of the
/// dtype, which is int32 or int64. Also false for more than `integer_list::max_size` elements.
constexpr auto fit(const integer_list& list, const program_view& program, value_id id) -> bool {
  return list.is_known && list.elements.size() <= integer_list::max_size && fit(list.elements, program[id].type) &&
         element_count(program.shape(id)) == static_cast<std::int64_t>(list.elements.size());
}

/// Returns `numbers` as the little-endian data of a tensor of dtype `type`. `type` must be int32 or int64, and all numbers must be in its
/// range.
constexpr auto bytes_of(span<const std::int64_t> numbers, dtype type) -> text_buffer {
  text_buffer bytes;
  for (const auto number : numbers) append_little_endian(bytes, static_cast<std::uint64_t>(number), bytes_of_integer(type));
  return bytes;
}

}  // namespace baton
