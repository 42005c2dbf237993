// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/window.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton;

constexpr auto sizes_follow_from_strides() -> bool {
  return window_size(true, 10, 3, 1, 1) == 10 && window_size(true, 10, 3, 3, 2) == 4 && window_size(false, 10, 3, 1, 1) == 8 &&
         window_size(false, 10, 3, 2, 2) == 3 && window_size(false, 2, 3, 1, 1) == 0 && window_size(false, 3, 3, 5, 1) == 1;
}
static_assert(sizes_follow_from_strides());

constexpr auto what_makes_no_sense_is_not_known() -> bool {
  return window_size(true, -1, 3, 1, 1) == -1 && window_size(false, 10, -1, 1, 1) == -1 && window_size(true, 10, 3, 0, 1) == -1 &&
         window_size(false, 10, 3, -2, 1) == -1 && window_size(false, 10, 3, 1, 0) == -1;
}
static_assert(what_makes_no_sense_is_not_known());

constexpr auto the_odd_padding_comes_after() -> bool {
  return padding_before(96, 48, 3, 2, 1) == 0 && padding_before(49, 25, 10, 2, 1) == 4 && padding_before(10, 5, 4, 2, 1) == 1 &&
         padding_before(9, 9, 3, 1, 2) == 2 && padding_before(10, 8, 3, 1, 1) == 0;
}
static_assert(the_odd_padding_comes_after());

TEST_CASE("window_size: SAME and VALID, and what is not known") {
  CHECK(sizes_follow_from_strides());
  CHECK(what_makes_no_sense_is_not_known());
}
TEST_CASE("padding before the first element") { CHECK(the_odd_padding_comes_after()); }

}  // namespace
