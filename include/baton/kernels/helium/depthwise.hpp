// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution on int8 for a Cortex-M with Helium.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/helium/detail/packed_kernel.hpp>
#include <baton/kernels/helium/detail/packed_layer.hpp>
#include <baton/kernels/helium/detail/vectors.hpp>
#include <baton/kernels/portable/depthwise.hpp>

#include <cstdint>

namespace baton::helium {

namespace detail {

/// The packing of a layer in which each input channel produces one output channel. A block (see `kernel_facts::prepared_blocks`) has 16
/// lanes (elements of a vector), one for each of 16 channels. The block starts with the factors (`four_factors`) of the lanes in four
/// groups: lanes 0, 4, 8 and 12; lanes 1, 5, 9 and 13; and so on. A vector of 16 weights for each tap (a position in the window) follows.
/// If a pixel has 1, 2, 4 or 8 channels, the lanes may hold the channels of several adjacent pixels (`pixels_per_vector`).
struct side_by_side_channels {
  static constexpr std::int32_t block_channels = vector_bytes;
  static constexpr std::int32_t factor_words = 4 * four_factors::words;

  static constexpr auto block_words(const packed_layer& plan) -> std::int32_t { return factor_words + plan.taps() * vector_bytes / 4; }
  /// Returns the number of adjacent output pixels that are computed in one vector. Returns more than 1 only if stride and dilation are 1,
  /// so that the inputs of these pixels are contiguous at every tap.
  static constexpr auto pixels_per_vector(std::int32_t channels, const window_axis& columns) -> std::int32_t {
    const bool is_contiguous = columns.stride == 1 && columns.dilation == 1;
    return is_contiguous && vector_bytes % channels == 0 && columns.output > 1 ? vector_bytes / channels : 1;
  }
  static constexpr auto pixels_per_vector(const packed_layer& plan) -> std::int32_t {
    return pixels_per_vector(plan.in_channels, plan.columns);
  }
  /// Returns the layer with wider windows: each covers the windows of all pixels in a vector.
  static constexpr auto widened(const packed_layer& plan) -> packed_layer {
    auto result = plan;
    result.columns.filter += pixels_per_vector(plan) - 1;
    return result;
  }
  /// Returns the size of a window that `gather` copies, in bytes. Returns 0 if no window extends beyond the image, because then no window
  /// is copied.
  static constexpr auto patch_bytes(const packed_layer& plan) -> std::int32_t {
    return plan.has_padding() ? widened(plan).taps() * plan.in_channels : 0;
  }

  static constexpr auto check(const program_view& program, const node& record, const layer& of) -> verdict {
    if (of.group_outputs != 1) return refuse("an input channel has ", of.group_outputs, " output channels; only one is supported");
    auto result = check_layer(program, record, of);
    if (!result) return result;
    for (const char weight : program.data(program[program.inputs(record)[1]].data)) {
      if (static_cast<signed char>(weight) == -128) return refuse("a weight is -128, so the sum of two products may not fit 16 bits");
    }
    return result;
  }

  static constexpr void pack(const layer& of, const char* weights, std::int32_t channel, std::int32_t lane, std::int32_t* block) {
    const auto pixels = pixels_per_vector(of.in_channels, of.columns);
    std::int32_t sum = 0;
    for (std::int32_t tap = 0; tap < of.rows.filter * of.columns.filter; ++tap) {
      const std::int32_t weight = static_cast<signed char>(weights[channel + tap * of.tap_step]);
      sum += weight;
      for (std::int32_t pixel = 0; pixel < pixels; ++pixel)
        set_byte(block + factor_words, tap * vector_bytes + lane + pixel * of.in_channels, weight);
    }
    for (std::int32_t pixel = 0; pixel < pixels; ++pixel) {
      const auto at = lane + pixel * of.in_channels;
      set_factors(of, channel, sum, block + at % 4 * four_factors::words, at / 4);
    }
  }

  /// Computes `bytes` contiguous output bytes: the channels of one pixel, or of several adjacent pixels whose channels together fit a
  /// vector. Adjacent taps of a window row are `tap_bytes` apart, and window rows are `row_bytes` apart.
  [[gnu::always_inline]] static void compute_bytes(const packed_layer& plan, const std::int8_t* window, std::int32_t row_bytes,
                                                   std::int32_t tap_bytes, const std::int32_t* block, std::int8_t* to, std::int32_t bytes) {
    for (std::int32_t channel = 0; channel < bytes; channel += vector_bytes, block += block_words(plan)) {
      const auto channels = bytes % vector_bytes == 0 ? vector_bytes : bytes - channel;
      const auto* weights = reinterpret_cast<const std::int8_t*>(block + factor_words);
      const auto* row = window + channel;
      side_by_side sums(block);
#pragma GCC unroll 4
      for (std::int32_t ky = 0; ky < plan.rows.filter; ++ky, row += row_bytes) {
        const auto* tap = row;
        std::int32_t kx = 0;
        for (; kx + 1 < plan.columns.filter; kx += 2, tap += 2 * tap_bytes, weights += 2 * vector_bytes) {
          sums.add_taps(tap, tap + tap_bytes, weights, channels);
        }
        if (kx < plan.columns.filter) {
          sums.add_tap(tap, weights, channels);
          weights += vector_bytes;
        }
      }
      sums.store(block, plan.output, channels, to + channel);
    }
  }

  /// Computes `pixels` adjacent pixels. The window of the first pixel begins at row `top`, column `left` of `image`.
  [[gnu::always_inline]] static void compute_pixels(const packed_layer& plan, const std::int8_t* image, std::int32_t top, std::int32_t left,
                                                    const std::int32_t* packed, std::int8_t* patch, std::int8_t* to, std::int32_t pixels) {
    const auto channels = plan.in_channels;
    const auto last_row = top + (plan.rows.filter - 1) * plan.rows.dilation;
    const auto last_column = left + (plan.columns.filter - 1) * plan.columns.dilation + pixels - 1;
    const bool is_inside = top >= 0 && left >= 0 && last_row < plan.rows.input && last_column < plan.columns.input;
    const std::int8_t* window = patch;
    auto row_bytes = widened(plan).columns.filter * channels;
    auto tap_bytes = channels;
    if (!plan.has_padding() || is_inside) {
      window = image + (top * plan.columns.input + left) * channels;
      row_bytes = plan.rows.dilation * plan.columns.input * channels;
      tap_bytes = plan.columns.dilation * channels;
    } else {
      gather(widened(plan), image, top, left, patch);
    }
    compute_bytes(plan, window, row_bytes, tap_bytes, packed, to, pixels * channels);
  }

  [[gnu::always_inline]] static void compute(const packed_layer& plan, const std::int8_t* input, const std::int32_t* packed,
                                             std::int8_t* patch, std::int8_t* output, std::int32_t first, std::int32_t last) {
    const auto step = pixels_per_vector(plan);
    for_rows(plan, input, output, first, last,
             [&](const std::int8_t* image, std::int32_t top, std::int8_t* to) __attribute__((always_inline)) {
               std::int32_t x = 0;
               for (; x + step <= plan.columns.output; x += step, to += step * plan.out_channels)
                 compute_pixels(plan, image, top, plan.columns.origin(x), packed, patch, to, step);
               if (const auto remaining = plan.columns.output % step; remaining != 0)
                 compute_pixels(plan, image, top, plan.columns.origin(x), packed, patch, to, remaining);
             });
  }
};

/// A kernel that computes `tfl.depthwise_conv_2d` and `baton.depthwise_conv_2d` on int8 with one output channel per input channel, 16
/// channels at a time. Weights must be constants, and none may be -128, so that the sum of two products fits 16 bits. Supports any padding,
/// stride, dilation, batch size and fused activation. Requires requantization factors in [0, 1/2), and sums that provably fit 32 bits.
/// Outputs are bit-identical to `portable::depthwise_conv_2d`.
struct depthwise_conv_2d : detail::packed_row_kernel<depthwise_conv_2d, detail::side_by_side_channels> {
  static constexpr literal_name operators[] = {"tfl.depthwise_conv_2d", "baton.depthwise_conv_2d"};

  static constexpr auto layer_of(const program_view& program, const node& record) -> node_description<detail::layer> {
    return portable::depthwise_conv_2d::describe(program, record);
  }
};

}  // namespace detail

}  // namespace baton::helium
