// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lists of a few whole numbers, as passes compute them.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/known_integers.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton {

/// Whole numbers that are elements of a tensor; `is_known` is false where they, or some of them, are not known.
struct integer_list {
  static constexpr std::size_t most = 64;  ///< elements; shapes, axes and paddings have fewer

  bool is_known = false;
  vector<std::int64_t> elements;
};

/// How many bytes an element has of which an `integer_list` is made; 0: of none.
constexpr auto bytes_of_integer(dtype type) -> std::size_t { return type == dtype::int32 ? 4 : type == dtype::int64 ? 8 : 0; }

/// A copy of what is known of a value (`known_integers::in`), of at most so many elements.
constexpr auto list_of(const known_integers& given) -> integer_list {
  integer_list list;
  if (!given.are_known || given.count > integer_list::most) return list;
  list.is_known = true;
  for (std::size_t i = 0; i < given.count; ++i) list.elements.push_back(given[i]);
  return list;
}

/// Whether all numbers fit a dtype, int32 or int64.
constexpr auto fit(span<const std::int64_t> numbers, dtype type) -> bool {
  if (bytes_of_integer(type) == 8) return true;
  for (const auto number : numbers) {
    if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::int32_t>::max()) return false;
  }
  return bytes_of_integer(type) == 4;
}

/// The bytes of a tensor of int32 or int64 with these elements, which fit.
constexpr auto bytes_of(span<const std::int64_t> numbers, dtype type) -> text_buffer {
  text_buffer bytes;
  for (const auto number : numbers) {
    for (std::size_t b = 0; b < bytes_of_integer(type); ++b) {
      bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * b) & 0xff));
    }
  }
  return bytes;
}

}  // namespace baton
