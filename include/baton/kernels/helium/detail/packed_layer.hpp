// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The layers of the Helium kernels with int8 weights: the plan, the checks, the factors of channels, and the copies of windows.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/detail/single_rounding.hpp>
#include <baton/kernels/helium/detail/vectors.hpp>
#include <baton/kernels/window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::helium::detail {

using portable::window_axis;
using portable::detail::layer;

/// The plan of a layer with packed weights. A fully connected layer is a convolution of an image of one pixel. The type is structural, so
/// that equal layers share their code.
struct packed_layer {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t out_channels = 1;
  window_axis rows{};
  window_axis columns{};
  std::int32_t input_zero_point = 0;
  output_rule output{};

  constexpr auto taps() const -> std::int32_t { return rows.filter * columns.filter; }
  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
  /// True if each window is copied to a patch, a contiguous array. A window of one pixel without padding is read from the image instead.
  constexpr auto is_gathered() const -> bool { return taps() > 1 || has_padding(); }
  constexpr auto has_padding() const -> bool { return rows.has_padding() || columns.has_padding(); }
};
static_assert(portable::has_no_padding<packed_layer>);

constexpr auto output_rule_of(const portable::channel_output& out) -> output_rule { return {out.zero_point, out.range, out.round}; }

constexpr auto packed_layer_of(const layer& of) -> packed_layer {
  return {.batches = of.batches,
          .in_channels = of.in_channels,
          .out_channels = of.out.channels,
          .rows = of.rows,
          .columns = of.columns,
          .input_zero_point = of.out.input_zero_point,
          .output = output_rule_of(of.out)};
}

constexpr auto vectors_of(std::int32_t bytes) -> std::int32_t { return (bytes + vector_bytes - 1) / vector_bytes; }
/// Returns the number of weights of an output channel.
constexpr auto products_of(const layer& of) -> std::int32_t { return of.rows.filter * of.columns.filter * of.group_channels; }

/// Checks that the weights are constants, and that the sums and factors of each channel fit `four_factors`.
constexpr auto check_layer(const program_view& program, const node& record, const layer& of) -> verdict {
  if (!portable::detail::has_constant_weights(program, record)) return refuse("weights are not a constant and cannot be packed");
  const auto max_sum = portable::detail::largest_sum(products_of(of), of.out.input_zero_point);
  for (std::int32_t channel = 0; channel < of.out.channels; ++channel) {
    const auto at = static_cast<std::size_t>(channel);
    const auto by = of.numbers.factor_of(at);
    const std::int64_t bias = of.numbers.bias_of(at);
    const bool fits = by.value >= 0 && by.shift <= -1 && by.shift >= -31 && max_sum + (bias < 0 ? -bias : bias) <= INT32_MAX;
    if (!fits) return refuse("channel ", channel, " has a negative factor, a right shift outside 1 to 31, or sums that do not fit 32 bits");
  }
  return accept();
}

/// Writes the factors of a channel to lane `lane` (an element of a vector) of `to`, the `four_factors` of four channels. The initial sum is
/// bias − input zero point · `weight_sum`, where `weight_sum` is the sum of the channel's weights.
constexpr void set_factors(const layer& of, std::int32_t channel, std::int32_t weight_sum, std::int32_t* to, std::int32_t lane) {
  const auto by = of.numbers.factor_of(static_cast<std::size_t>(channel));
  const auto bias = of.numbers.bias_of(static_cast<std::size_t>(channel));
  four_factors::set(to, lane, bias - of.out.input_zero_point * weight_sum, by.value, -by.shift);
}

/// Stores byte `at` of packed words. The previous value of the byte must be 0.
constexpr void set_byte(std::int32_t* words, std::int32_t at, std::int32_t byte) {
  const auto shifted = (static_cast<std::uint32_t>(byte) & 0xffu) << (8 * (at % 4));
  words[at / 4] = static_cast<std::int32_t>(static_cast<std::uint32_t>(words[at / 4]) | shifted);
}

/// Copies a window to an array [taps, channels]. The window's first tap (position in the window) is at row `top`, column `left` of the
/// image. Taps in the padding become the zero point. The initial sum cancels the products of these taps (`set_factors`).
[[gnu::always_inline]] inline void gather(const packed_layer& layer, const std::int8_t* image, std::int32_t top, std::int32_t left,
                                          std::int8_t* to) {
  const auto channels = layer.in_channels;
  const auto width = layer.columns.filter * channels;
  const auto zero_point = static_cast<std::int8_t>(layer.input_zero_point);
  const auto first = layer.columns.first_tap(left);
  const auto last = layer.columns.end_tap(left);
  for (std::int32_t ky = 0; ky < layer.rows.filter; ++ky, to += width) {
    const auto y = top + ky * layer.rows.dilation;
    if (y < 0 || y >= layer.rows.input || first >= last) {
      fill_bytes(to, zero_point, width);
      continue;
    }
    const auto* line = image + (y * layer.columns.input + left + first * layer.columns.dilation) * channels;
    fill_bytes(to, zero_point, first * channels);
    if (layer.columns.dilation == 1) {
      copy_bytes(to + first * channels, line, (last - first) * channels);
    } else {
      for (auto kx = first; kx < last; ++kx)
        copy_bytes(to + kx * channels, line + (kx - first) * layer.columns.dilation * channels, channels);
    }
    fill_bytes(to + last * channels, zero_point, (layer.columns.filter - last) * channels);
  }
}

/// Calls `f(image, top, to)` for each of the output rows [`first`, `last`). The windows of the output row begin at row `top` of `image`.
/// `to` is the address of the output row.
template <class F>
[[gnu::always_inline]] inline void for_rows(const packed_layer& layer, const std::int8_t* input, std::int8_t* output, std::int32_t first,
                                            std::int32_t last, F f) {
  const auto image_bytes = layer.rows.input * layer.columns.input * layer.in_channels;
  for (auto row = first; row < last; ++row) {
    const auto* image = input + row / layer.rows.output * image_bytes;
    f(image, layer.rows.origin(row % layer.rows.output), output + row * layer.columns.output * layer.out_channels);
  }
}

/// Calls `f(image, top, left, to)` for each pixel of output rows [`first`, `last`). The first tap of the pixel's window is at row `top`,
/// column `left` of `image`. `to` is the address of the pixel.
template <class F>
[[gnu::always_inline]] inline void for_pixels(const packed_layer& layer, const std::int8_t* input, std::int8_t* output, std::int32_t first,
                                              std::int32_t last, F f) {
  for_rows(layer, input, output, first, last,
           [&](const std::int8_t* image, std::int32_t top, std::int8_t* to) __attribute__((always_inline)) {
             for (std::int32_t x = 0; x < layer.columns.output; ++x, to += layer.out_channels) f(image, top, layer.columns.origin(x), to);
           });
}

}  // namespace baton::helium::detail
