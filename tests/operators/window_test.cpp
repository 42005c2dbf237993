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

constexpr auto invalid_arguments_have_an_unknown_size() -> bool {
  return window_size(true, -1, 3, 1, 1) == -1 && window_size(false, 10, -1, 1, 1) == -1 && window_size(true, 10, 3, 0, 1) == -1 &&
         window_size(false, 10, 3, -2, 1) == -1 && window_size(false, 10, 3, 1, 0) == -1;
}
static_assert(invalid_arguments_have_an_unknown_size());

constexpr auto odd_padding_is_at_the_end() -> bool {
  return padding_before(96, 48, 3, 2, 1) == 0 && padding_before(49, 25, 10, 2, 1) == 4 && padding_before(10, 5, 4, 2, 1) == 1 &&
         padding_before(9, 9, 3, 1, 2) == 2 && padding_before(10, 8, 3, 1, 1) == 0;
}
static_assert(odd_padding_is_at_the_end());

TEST_CASE("window_size implements SAME and VALID, and returns -1 if an argument is unknown or invalid") {
  CHECK(sizes_follow_from_strides());
  CHECK(invalid_arguments_have_an_unknown_size());
}
TEST_CASE("padding_before leaves odd padding at the end") { CHECK(odd_padding_is_at_the_end()); }

/// The number of windows of a pool, counted one by one, equals `pooled_size`.
constexpr auto pooled_sizes_count_windows() -> bool {
  for (int input = 1; input < 7; ++input) {
    for (int filter = 1; filter < 4; ++filter) {
      for (int stride = 1; stride < 4; ++stride) {
        for (int pads = 0; pads < 4 * filter * (filter + 3); ++pads) {
          const int before = pads / 4 % filter, after = pads / 4 / filter, dilation = pads % 2 + 1;
          const bool is_ceil = pads % 4 > 1;
          const int span = (filter - 1) * dilation + 1, end = input + after;
          int count = 0;
          int at = -before;
          for (; at + span <= end; at += stride) ++count;
          if (is_ceil && count > 0 && at - stride + span < end) ++count;
          if (is_ceil && count > 1 && (count - 1) * stride - before >= input) --count;
          if (baton::pooled_size(input, before, after, filter, stride, dilation, is_ceil) != count) return false;
        }
      }
    }
  }
  return baton::pooled_size(-1, 0, 0, 1, 1, 1, false) == -1 && baton::pooled_size(4, -1, 0, 1, 1, 1, true) == -1 &&
         baton::pooled_size(4, 0, 0, 1, 0, 1, true) == -1;
}
static_assert(pooled_sizes_count_windows());

}  // namespace

TEST_CASE("pooled_size counts the windows of a pool") { CHECK(pooled_sizes_count_windows()); }
