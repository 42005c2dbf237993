// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/named_data.hpp>
#include <baton/backend/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using numbers = baton::vector<std::int64_t>;

constexpr auto order_of(const numbers& sizes, const numbers& strides) -> numbers {
  return tensor_layout::of_strides(dtype::int8, sizes, strides).value.dim_order;
}
constexpr auto is_refused(const numbers& sizes, const numbers& strides, std::string_view reason) -> bool {
  const auto made = tensor_layout::of_strides(dtype::int8, sizes, strides);
  return made.error.rule == rule::malformed_layout::sentence && view(made.error.reason) == reason;
}

constexpr auto dimensions_stand_by_falling_stride() -> bool {
  return order_of({2, 3}, {3, 1}) == numbers{0, 1} && order_of({2, 3}, {1, 2}) == numbers{1, 0} &&
         order_of({2, 3, 4, 5}, {60, 1, 15, 3}) == numbers{0, 2, 3, 1} && order_of({}, {}).empty() && order_of({7}, {1}) == numbers{0};
}
static_assert(dimensions_stand_by_falling_stride());

// A dimension of one element has whatever stride; a tensor without elements has no gaps.
constexpr auto what_has_no_steps_has_no_stride() -> bool {
  return order_of({1, 3}, {77, 1}) == numbers{0, 1} && order_of({3, 1}, {1, 1}) == numbers{0, 1} &&
         order_of({0, 3}, {9, 5}) == numbers{0, 1};
}
static_assert(what_has_no_steps_has_no_stride());

constexpr auto gaps_and_overlaps_are_refused() -> bool {
  return is_refused({2, 2}, {4, 1}, "dimension 0 has stride 4, not 2") && is_refused({2, 2}, {0, 1}, "dimension 0 has stride 0, not 1") &&
         is_refused({2, 2}, {2, 2}, "dimension 1 has stride 2, not 1") && is_refused({4}, {-1}, "dimension 0 has stride -1, not 1") &&
         is_refused({4}, {1, 1}, "1 sizes, 2 strides") && is_refused({-4}, {1}, "a size is negative, or the tensor too large");
}
static_assert(gaps_and_overlaps_are_refused());

constexpr auto layouts_print() -> bool {
  return view(print(tensor_layout::of_strides(dtype::float32, numbers{2, 3}, numbers{1, 2}).value)) == "float32[2, 3] order [1, 0]" &&
         view(print(tensor_layout::row_major(dtype::int8, {}))) == "int8[] order []";
}
static_assert(layouts_print());

}  // namespace

TEST_CASE("the layout of a tensor follows from its strides") {
  CHECK(dimensions_stand_by_falling_stride());
  CHECK(what_has_no_steps_has_no_stride());
  CHECK(gaps_and_overlaps_are_refused());
  CHECK(layouts_print());
}
