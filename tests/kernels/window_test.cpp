// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Windows: the range of taps inside the input against a test of every tap.
#include <baton/kernels/window.hpp>
#include <baton/operators/shared/window.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton::portable;
using baton::padding_before;
using baton::window_size;

constexpr auto taps_inside_are_counted() -> bool {
  for (std::int32_t input = 1; input < 9; ++input) {
    for (std::int32_t filter = 1; filter < 6; ++filter) {
      for (std::int32_t stride = 1; stride < 4; ++stride) {
        for (std::int32_t dilation = 1; dilation < 4; ++dilation) {
          const auto output = static_cast<std::int32_t>(window_size(true, input, filter, stride, dilation));
          const window_axis axis{input,  output,   filter,
                                 stride, dilation, static_cast<std::int32_t>(padding_before(input, output, filter, stride, dilation))};
          for (std::int32_t at = 0; at < output; ++at) {
            const auto from = axis.origin(at);
            for (std::int32_t tap = 0; tap < filter; ++tap) {
              const bool is_inside = from + tap * dilation >= 0 && from + tap * dilation < input;
              if (is_inside != (tap >= axis.first_tap(from) && tap < axis.end_tap(from))) return false;
            }
          }
        }
      }
    }
  }
  return true;
}
static_assert(taps_inside_are_counted());

constexpr auto only_a_single_image_has_a_window() -> bool {
  constexpr window_axis rows{.input = 9, .output = 4, .filter = 3, .stride = 2, .dilation = 2, .before = 1};
  constexpr window_axis columns{.input = 5, .output = 5, .filter = 1};
  constexpr baton::row_window expected{{.stride = 2, .before = 1, .span = 5}, {.stride = 1, .before = 0, .span = 1}};
  return baton::portable::detail::image_window(1, rows, columns) == expected &&
         baton::portable::detail::image_window(2, rows, columns) == baton::row_window::none();
}
static_assert(only_a_single_image_has_a_window());

}  // namespace

TEST_CASE("only a single image has a window") { CHECK(only_a_single_image_has_a_window()); }

TEST_CASE("the taps inside the input are counted") { CHECK(taps_inside_are_counted()); }

TEST_CASE("for_taps visits the taps inside the input in order") {
  const window_axis rows{4, 4, 3, 1, 1, 1};
  const window_axis columns{5, 3, 3, 2, 1, 1};
  int pixels[9] = {};
  int taps[9] = {};
  int count = 0;
  for_taps(rows, columns, -1, 3, [&](std::int32_t pixel, std::int32_t tap) {
    pixels[count] = pixel;
    taps[count++] = tap;
  });
  CHECK(count == 4);
  CHECK(pixels[0] == 3);
  CHECK(taps[0] == 3);
  CHECK(pixels[3] == 9);
  CHECK(taps[3] == 7);
}
