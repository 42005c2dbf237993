// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution on int16 for a Cortex-M with the DSP extension: four channels at a time.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/int16_kernel.hpp>
#include <baton/kernels/cortex_m/detail/int16_layer.hpp>
#include <baton/kernels/cortex_m/detail/row_products.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/kernels/window.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// The taps (positions in the window) that are inside the image.
struct window_taps {
  const char* input;           ///< the pixel of the first tap
  const char* weights;         ///< the weights of the first tap
  std::int32_t rows;           ///< the number of rows of taps; 0 or negative if no tap is inside the image
  std::int32_t columns;        ///< the number of taps of a row
  std::ptrdiff_t input_row;    ///< the distance from the end of a row of taps to the beginning of the next row, in bytes
  std::ptrdiff_t weight_row;   ///< like `input_row`, for the weights
  std::ptrdiff_t input_step;   ///< the distance between adjacent taps of a row, in bytes
  std::ptrdiff_t weight_step;  ///< like `input_step`, for the weights
};

/// Returns the sums of products of four channels from `channel` on.
[[gnu::always_inline]] inline auto sums_of_four(const window_taps& taps, std::int32_t channel) -> std::array<std::int32_t, 4> {
  const char* x = taps.input + 2 * std::ptrdiff_t{channel};
  const char* w = taps.weights + channel;
  std::int32_t sum0 = 0;
  std::int32_t sum1 = 0;
  std::int32_t sum2 = 0;
  std::int32_t sum3 = 0;
  const auto add_tap = [&] {
    const auto low = portable::load<std::uint32_t>(x);
    const auto high = portable::load<std::uint32_t>(x, 1);
    const auto four = portable::load<std::uint32_t>(w);
    const auto even = sxtb16(four);
    const auto odd = sxtb16_ror8(four);
    sum0 = smlabb(low, even, sum0);
    sum1 = smlatb(low, odd, sum1);
    sum2 = smlabt(high, even, sum2);
    sum3 = smlatt(high, odd, sum3);
    x += taps.input_step;
    w += taps.weight_step;
  };
  if (taps.columns == 3) {  // most windows
    for (auto row = taps.rows; row > 0; --row, x += taps.input_row, w += taps.weight_row) {
      add_tap();
      add_tap();
      add_tap();
    }
    return {sum0, sum1, sum2, sum3};
  }
  for (auto row = taps.rows; row > 0; --row, x += taps.input_row, w += taps.weight_row) {
    for (auto column = taps.columns; column > 0; --column) add_tap();
  }
  return {sum0, sum1, sum2, sum3};
}
[[gnu::always_inline]] inline auto sum_of_one(const window_taps& taps, std::int32_t channel) -> std::int32_t {
  const char* x = taps.input + 2 * std::ptrdiff_t{channel};
  const char* w = taps.weights + channel;
  std::int32_t sum = 0;
  for (auto row = taps.rows; row > 0; --row, x += taps.input_row, w += taps.weight_row) {
    for (auto column = taps.columns; column > 0; --column, x += taps.input_step, w += taps.weight_step)
      sum += portable::load<std::int16_t>(x) * portable::load<std::int8_t>(w);
  }
  return sum;
}

/// Computes the columns [`first_column`, `last_column`) of the output rows [`first_row`, `last_row`). At each output pixel, the inputs of
/// up to four channels are read before the outputs of these channels are written.
struct int16_depthwise_rows {
  template <arithmetic By, class>
  [[gnu::always_inline]] static void compute(const int16_layer& plan, const int16_memory& memory, std::int32_t first_row,
                                             std::int32_t last_row, std::int32_t first_column, std::int32_t last_column,
                                             write_order order) {
    const auto& layer = plan.layer;
    const auto& columns = layer.columns;
    const std::ptrdiff_t channels = layer.out.channels;
    for (std::int32_t i = 0; i < last_row - first_row; ++i) {
      const auto row = first_row + portable::nth(order, i, last_row - first_row);
      const auto* image = memory.input + 2 * channels * (row / layer.rows.output) * layer.rows.input * columns.input;
      const auto top = layer.rows.origin(row % layer.rows.output);
      const auto first_y = layer.rows.first_tap(top);
      const auto height = layer.rows.end_tap(top) - first_y;
      for (std::int32_t j = 0; j < last_column - first_column; ++j) {
        const auto x = first_column + portable::nth(order, j, last_column - first_column);
        const auto left = columns.origin(x);
        const auto first_x = columns.first_tap(left);
        const auto width = columns.end_tap(left) - first_x;
        const auto pixel =
            std::ptrdiff_t{top + first_y * layer.rows.dilation} * columns.input + left + std::ptrdiff_t{first_x} * columns.dilation;
        const window_taps taps{.input = height > 0 && width > 0 ? image + 2 * channels * pixel : image,
                               .weights = memory.weights + channels * (first_y * columns.filter + first_x),
                               .rows = width > 0 ? height : 0,
                               .columns = width,
                               .input_row = 2 * channels * (layer.rows.dilation * columns.input - width * columns.dilation),
                               .weight_row = channels * (columns.filter - width),
                               .input_step = 2 * channels * columns.dilation,
                               .weight_step = channels};
        const auto at = (row * columns.output + x) * layer.out.channels;
        const auto blocks = (layer.out.channels + 3) / 4;
        for (std::int32_t k = 0; k < blocks; ++k) {
          const auto channel = 4 * portable::nth(order, k, blocks);
          if (channel + 4 <= layer.out.channels) {
            const auto sums = sums_of_four(taps, channel);
            store_output<By>(plan, memory, sums[0], channel, at + channel);  // not a loop, because compilers would not unroll it
            store_output<By>(plan, memory, sums[1], channel + 1, at + channel + 1);
            store_output<By>(plan, memory, sums[2], channel + 2, at + channel + 2);
            store_output<By>(plan, memory, sums[3], channel + 3, at + channel + 3);
            continue;
          }
          const auto remaining = layer.out.channels - channel;
          for (std::int32_t c = 0; c < remaining; ++c) {
            const auto next = channel + portable::nth(order, c, remaining);
            store_output<By>(plan, memory, sum_of_one(taps, next), next, at + next);
          }
        }
      }
    }
  }
};

/// A kernel that computes `tfl.depthwise_conv_2d` on int16 with int8 weights and one output channel for each input channel. Reads the
/// weights of the model without packing them. Supports any padding, stride, dilation, batch size and fused activation. Requires inputs with
/// the zero point 0, and at most `max_exact_products` taps per window. Outputs are bit-identical to `portable::depthwise_conv_2d`.
template <options Options = options{}>
struct int16_depthwise_conv_2d
    : int16_image_kernel<int16_depthwise_conv_2d<Options>, portable::depthwise_conv_2d, Options, int16_depthwise_rows> {
  using base = int16_image_kernel<int16_depthwise_conv_2d<Options>, portable::depthwise_conv_2d, Options, int16_depthwise_rows>;
  static constexpr literal_name operators[] = {"tfl.depthwise_conv_2d"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<int16_layer> {
    auto result = base::describe(program, record);
    if (!result.support) return result;
    const auto group_outputs = result.plan.layer.group_outputs;
    if (group_outputs != 1)
      return {refuse("the Cortex-M kernel for int16 supports one output channel for each input channel, not ", group_outputs)};
    if (result.plan.products() > max_exact_products)
      return {refuse("sums of ", result.plan.products(), " products of int16 may not fit 32 bits")};
    result.facts.scratch_bytes = 0;
    return result;
  }
};
static_assert(kernel<int16_depthwise_conv_2d<>>);

}  // namespace detail

}  // namespace baton::cortex_m
