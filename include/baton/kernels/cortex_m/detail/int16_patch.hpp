// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The int16 inputs of an output pixel, gathered for dot products with rows of weights.
#pragma once

#include <baton/kernels/cortex_m/detail/int16_layer.hpp>
#include <baton/kernels/cortex_m/detail/row_products.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/kernels/window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Writes `count` elements at `to`: copies of the elements at `from`, or zeros if `from` is null. Returns the address after the last
/// written element.
[[gnu::always_inline]] inline auto put_int16(const char* from, std::int32_t count, char* to) -> char* {
  const auto words = count / 2;
  for (std::int32_t i = 0; i < words; ++i) portable::store(to, i, from != nullptr ? portable::load<std::uint32_t>(from, i) : 0u);
  if (count % 2 != 0) portable::store(to, count - 1, from != nullptr ? portable::load<std::int16_t>(from, count - 1) : std::int16_t{0});
  return to + 2 * std::ptrdiff_t{count};
}

/// Copies the inputs of a window to `to`, for one group of channels. The order is tap by tap; a tap is a position in the window. The window
/// begins at row `top` and column `left`. `image` is the address of the first channel of the group in the first pixel of the image. Taps in
/// the padding become zeros.
[[gnu::always_inline]] inline void gather(const portable::detail::layer& layer, const char* image, std::int32_t top, std::int32_t left,
                                          char* to) {
  const auto& columns = layer.columns;
  const auto channels = layer.group_channels;
  const auto pixel_bytes = 2 * std::ptrdiff_t{layer.in_channels};
  const auto first = columns.first_tap(left);
  const auto last = columns.end_tap(left);
  for (std::int32_t ky = 0; ky < layer.rows.filter; ++ky) {
    const auto y = top + ky * layer.rows.dilation;
    if (y < 0 || y >= layer.rows.input || first >= last) {
      to = put_int16(nullptr, columns.filter * channels, to);
      continue;
    }
    const auto* line = image + pixel_bytes * (std::ptrdiff_t{y} * columns.input + left);
    to = put_int16(nullptr, first * channels, to);
    if (columns.dilation == 1 && channels == layer.in_channels) {
      to = put_int16(line + pixel_bytes * first, (last - first) * channels, to);
    } else {
      for (auto kx = first; kx < last; ++kx) to = put_int16(line + pixel_bytes * columns.dilation * kx, channels, to);
    }
    to = put_int16(nullptr, (columns.filter - last) * channels, to);
  }
}

/// Writes the inputs of a window to `scratch`, for one group of channels, in the order for `sums_of_rows`. An input takes two bytes.
[[gnu::always_inline]] inline void write_patch(const int16_layer& plan, const char* image, std::int32_t top, std::int32_t left,
                                               char* scratch) {
  const auto& layer = plan.layer;
  const auto count = plan.products();
  const bool is_one_tap_inside = count == layer.group_channels && !layer.rows.has_padding() && !layer.columns.has_padding();
  if (is_one_tap_inside) image += 2 * std::ptrdiff_t{layer.in_channels} * (std::ptrdiff_t{top} * layer.columns.input + left);
  if (!is_one_tap_inside) gather(layer, image, top, left, scratch);
  reorder_int16(is_one_tap_inside ? image : scratch, count, scratch);
}

}  // namespace baton::cortex_m::detail
