// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/strided_axis.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using baton::strided_axis;

/// Whether an axis takes what a walk from one end to the other takes.
constexpr auto takes_what_a_walk_takes(const strided_axis& axis) -> bool {
  const auto from = axis.begin < 0 ? axis.begin + axis.size : axis.begin;
  const auto to = axis.end < 0 ? axis.end + axis.size : axis.end;
  const bool is_forwards = axis.stride > 0;
  std::int64_t first = -1;
  std::int64_t count = 0;
  std::int64_t next = 0;  // to be taken, once the first is
  for (std::int64_t i = 0; i < axis.size; ++i) {
    const auto at = is_forwards ? i : axis.size - 1 - i;
    const bool is_inside = is_forwards ? at >= from && at < to : at <= from && at > to;
    if (!is_inside || (count != 0 && at != next)) continue;
    if (count++ == 0) first = at;
    next = at + axis.stride;
  }
  return axis.count() == count && (count == 0 || axis.first() == first);
}
constexpr auto every_small_axis_takes_what_a_walk_takes(std::int64_t most) -> bool {
  for (std::int64_t whole = 0; whole <= most; ++whole) {
    for (auto begin = -whole - 2; begin <= whole + 2; ++begin) {
      for (auto end = -whole - 2; end <= whole + 2; ++end) {
        for (std::int64_t stride = 1; stride <= 3; ++stride) {
          if (!takes_what_a_walk_takes({whole, begin, end, stride}) || !takes_what_a_walk_takes({whole, begin, end, -stride})) return false;
        }
      }
    }
  }
  return true;
}
static_assert(every_small_axis_takes_what_a_walk_takes(3));

constexpr auto what_a_mask_leaves_out_reaches_the_ends() -> bool {
  const strided_axis forth{5, strided_axis::from_start(2), strided_axis::to_end(2), 2};
  const strided_axis back{5, strided_axis::from_start(-2), strided_axis::to_end(-2), -2};
  return forth.first() == 0 && forth.count() == 3 && back.first() == 4 && back.count() == 3;
}
static_assert(what_a_mask_leaves_out_reaches_the_ends());

constexpr auto no_number_is_too_large() -> bool {
  return strided_axis{5, INT64_MIN, INT64_MAX, INT64_MAX}.count() == 1 && strided_axis{5, INT64_MAX, INT64_MIN, INT64_MIN}.count() == 1;
}
static_assert(no_number_is_too_large());

}  // namespace

TEST_CASE("a strided axis takes what a walk takes") {
  CHECK(every_small_axis_takes_what_a_walk_takes(6));
  CHECK(what_a_mask_leaves_out_reaches_the_ends());
  CHECK(no_number_is_too_large());
}
