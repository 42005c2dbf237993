// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/strided_axis.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using baton::strided_axis;

/// Whether an axis selects the same elements as a loop from one end to the other.
constexpr auto selects_like_a_loop(const strided_axis& axis) -> bool {
  const auto from = axis.begin < 0 ? axis.begin + axis.size : axis.begin;
  const auto to = axis.end < 0 ? axis.end + axis.size : axis.end;
  const bool is_forwards = axis.stride > 0;
  std::int64_t first = -1;
  std::int64_t count = 0;
  std::int64_t next = 0;  // the next position, after the first one was selected
  for (std::int64_t i = 0; i < axis.size; ++i) {
    const auto at = is_forwards ? i : axis.size - 1 - i;
    const bool is_inside = is_forwards ? at >= from && at < to : at <= from && at > to;
    if (!is_inside || (count != 0 && at != next)) continue;
    if (count++ == 0) first = at;
    next = at + axis.stride;
  }
  return axis.count() == count && (count == 0 || axis.first() == first);
}
constexpr auto every_small_axis_selects_like_a_loop(std::int64_t max_size) -> bool {
  for (std::int64_t whole = 0; whole <= max_size; ++whole) {
    for (auto begin = -whole - 2; begin <= whole + 2; ++begin) {
      for (auto end = -whole - 2; end <= whole + 2; ++end) {
        for (std::int64_t stride = 1; stride <= 3; ++stride) {
          if (!selects_like_a_loop({whole, begin, end, stride}) || !selects_like_a_loop({whole, begin, end, -stride})) return false;
        }
      }
    }
  }
  return true;
}
static_assert(every_small_axis_selects_like_a_loop(3));

constexpr auto masked_bounds_reach_the_ends() -> bool {
  const strided_axis forth{5, strided_axis::from_start(2), strided_axis::to_end(2), 2};
  const strided_axis back{5, strided_axis::from_start(-2), strided_axis::to_end(-2), -2};
  return forth.first() == 0 && forth.count() == 3 && back.first() == 4 && back.count() == 3;
}
static_assert(masked_bounds_reach_the_ends());

constexpr auto large_numbers_do_not_overflow() -> bool {
  return strided_axis{5, INT64_MIN, INT64_MAX, INT64_MAX}.count() == 1 && strided_axis{5, INT64_MAX, INT64_MIN, INT64_MIN}.count() == 1;
}
static_assert(large_numbers_do_not_overflow());

}  // namespace

TEST_CASE("a strided axis selects the same elements as a loop") {
  CHECK(every_small_axis_selects_like_a_loop(6));
  CHECK(masked_bounds_reach_the_ends());
  CHECK(large_numbers_do_not_overflow());
}
