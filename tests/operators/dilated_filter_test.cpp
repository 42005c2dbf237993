// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/dilated_filter.hpp>
#include <baton/core/error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto zeros_are_between_the_taps() -> bool {
  constexpr std::string_view filter = "abcdefgh";
  const dilated_filter rows{1, {2, 2}, {2, 1}, 2}, columns{2, {1, 2}, {1, 3}, 2}, plain{8, {1, 1}, {4, 4}, 1};
  constexpr char one[] = {'-'}, two[] = {'-', '+'};
  return view(rows.bytes(filter, one)) == "abcd----efgh" && view(columns.bytes(filter, two)) == "ab----cdef++++gh" &&
         view(plain.bytes(filter, one)) == filter && rows.span_of(0) == 3 && rows.span_of(1) == 2 && rows.size() == 12 &&
         rows.is_dilated() && plain.size() == 8;
}
static_assert(zeros_are_between_the_taps());

constexpr auto sizes_are_limited() -> bool {
  constexpr std::int64_t large = std::int64_t{1} << 40;
  return dilated_filter{1, {3, 1}, {1 << 28, 1}, 4}.size() == -1 && dilated_filter{large, {1, 1}, {1, 1}, 4}.size() == -1 &&
         dilated_filter{1, {1, 1}, {1, 1}, 1 << 30}.size() == 1 << 30 && !dilated_filter{}.is_dilated();
}
static_assert(sizes_are_limited());

}  // namespace

TEST_CASE("a dilated filter has zeros between its taps") {
  CHECK(zeros_are_between_the_taps());
  CHECK(sizes_are_limited());
}
