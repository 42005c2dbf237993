// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The window of a convolution or of pooling along one axis of an image: its padding, and the taps (positions in the window) that are inside
// the image.
#pragma once

#include <baton/kernel/row_window.hpp>

#include <cstdint>

namespace baton::portable {

/// One axis of a sliding window, with sizes in elements. The type is structural, so that nodes with equal windows share one instantiation.
struct window_axis {
  std::int32_t input = 1;
  std::int32_t output = 1;
  std::int32_t filter = 1;
  std::int32_t stride = 1;
  std::int32_t dilation = 1;
  std::int32_t before = 0;  ///< padding before the first element

  /// Returns the input position at which the window of output `at` begins. The position is negative if the window begins in the padding
  /// before the input.
  constexpr auto origin(std::int32_t at) const -> std::int32_t { return at * stride - before; }
  /// Returns the first tap inside the input, for a window that begins at input position `from`.
  constexpr auto first_tap(std::int32_t from) const -> std::int32_t { return from < 0 ? (dilation - 1 - from) / dilation : 0; }
  /// Returns the index after the last tap inside the input, for a window that begins at input position `from`.
  constexpr auto end_tap(std::int32_t from) const -> std::int32_t {
    const auto end = input <= from ? 0 : (input - from + dilation - 1) / dilation;
    return end < filter ? end : filter;
  }
  /// True if every window overlaps the input. False only if the padding on a side is at least as large as a window.
  constexpr auto meets_input() const -> bool { return before <= (filter - 1) * dilation && origin(output - 1) < input; }
  /// True if a window extends beyond the input.
  constexpr auto has_padding() const -> bool { return before > 0 || origin(output - 1) + (filter - 1) * dilation >= input; }
  /// Returns this axis as an axis of a `row_window`: the stride, the padding, and the number of inputs that a window spans.
  constexpr auto reach() const -> row_window::axis { return {stride, before, (filter - 1) * dilation + 1}; }
};

namespace detail {

/// Returns the window of a layer on its input image. Returns `row_window::none()` if the layer is not computed row by row. This is the case
/// if a batch has several images, or if a window is completely in the padding and so contains no input element.
constexpr auto image_window(std::int32_t batches, const window_axis& rows, const window_axis& columns) -> row_window {
  if (batches != 1 || !rows.meets_input() || !columns.meets_input()) return row_window::none();
  return {rows.reach(), columns.reach()};
}

/// The range [`first`, `last`) of output rows, or of columns of an output row, that a call computes.
struct output_range {
  std::int32_t first = 0;
  std::int32_t last = 0;
};

/// The range of all `Count` rows or columns. Its bounds are constants, so that a loop over the range has a constant trip count, even in a
/// function that is not inlined.
template <std::int32_t Count>
struct whole_range {
  static constexpr std::int32_t first = 0;
  static constexpr std::int32_t last = Count;
};

}  // namespace detail

/// Calls `f(pixel, tap)` for each tap of a window that is inside the image. `pixel` is the index of a pixel in the image; `tap` is the
/// index of a tap in the filter. `top` and `left` are the input positions at which the window begins.
template <class F>
inline void for_taps(const window_axis& rows, const window_axis& columns, std::int32_t top, std::int32_t left, F f) {
  const auto first_x = columns.first_tap(left);
  const auto last_x = columns.end_tap(left);
  for (auto ky = rows.first_tap(top); ky < rows.end_tap(top); ++ky) {
    const auto line = (top + ky * rows.dilation) * columns.input + left;
    for (auto kx = first_x; kx < last_x; ++kx) f(line + kx * columns.dilation, ky * columns.filter + kx);
  }
}

}  // namespace baton::portable
