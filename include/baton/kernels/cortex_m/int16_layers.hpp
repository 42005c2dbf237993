// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Convolutions and fully connected layers on int16 with int8 weights, for a Cortex-M with the DSP extension. Four channels are computed at
// a time, with two products per instruction.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/detail/int16_kernel.hpp>
#include <baton/kernels/cortex_m/detail/int16_layer.hpp>
#include <baton/kernels/cortex_m/detail/int16_patch.hpp>
#include <baton/kernels/cortex_m/detail/row_products.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/fully_connected.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// Computes the columns [`first_column`, `last_column`) of the output rows [`first_row`, `last_row`). At each output pixel, the inputs of a
/// convolution group are copied before the outputs of this group are written.
struct int16_rows {
  template <arithmetic By, class Sum>
  [[gnu::always_inline]] static void compute(const int16_layer& plan, const int16_memory& memory, std::int32_t first_row,
                                             std::int32_t last_row, std::int32_t first_column, std::int32_t last_column,
                                             write_order order) {
    using portable::nth;
    const auto& layer = plan.layer;
    const auto groups = layer.in_channels / layer.group_channels;
    const auto count = plan.products();
    for (std::int32_t i = 0; i < last_row - first_row; ++i) {
      const auto row = first_row + nth(order, i, last_row - first_row);
      const auto* image =
          memory.input + std::ptrdiff_t{2} * (row / layer.rows.output) * layer.rows.input * layer.columns.input * layer.in_channels;
      const auto top = layer.rows.origin(row % layer.rows.output);
      for (std::int32_t j = 0; j < last_column - first_column; ++j) {
        const auto x = first_column + nth(order, j, last_column - first_column);
        for (std::int32_t k = 0; k < groups; ++k) {
          const auto group = nth(order, k, groups);
          const auto channel = group * layer.group_outputs;
          const auto at = (row * layer.columns.output + x) * layer.out.channels + channel;
          write_patch(plan, image + std::ptrdiff_t{2} * group * layer.group_channels, top, layer.columns.origin(x), memory.scratch);
          for_sums_of_rows<Sum>(memory.scratch, memory.weights + std::ptrdiff_t{channel} * count, count, layer.group_outputs,
                                [&](std::int32_t c, Sum sum)
                                    __attribute__((always_inline)) { store_output<By>(plan, memory, sum, channel + c, at + c); });
        }
      }
    }
  }
};

/// The chunks (see `kernel_facts::chunks`) of a fully connected layer. A chunk has four channels of a batch item; the last chunk of an item
/// may have fewer. Chunk numbers continue from item to item.
struct int16_dense_chunks {
  static constexpr std::int32_t channels_per_chunk = 4;

  /// Returns the number of chunks of a batch item.
  static constexpr auto chunks_of_item(const int16_layer& plan) -> std::int32_t {
    return (plan.layer.out.channels + channels_per_chunk - 1) / channels_per_chunk;
  }
  /// Computes the chunks [`first`, `last`). The first chunk of an item also copies the item's inputs to scratch; the other chunks of the
  /// item use this copy.
  template <arithmetic By, class Sum>
  [[gnu::always_inline]] static void compute(const int16_layer& plan, const int16_memory& memory, std::int32_t first, std::int32_t last) {
    const auto count = plan.products();
    const auto channels = plan.layer.out.channels;
    portable::detail::for_row_ranges(
        chunks_of_item(plan), first, last, [&](std::int32_t item, std::int32_t begin, std::int32_t end) __attribute__((always_inline)) {
          if (begin == 0) write_patch(plan, memory.input + std::ptrdiff_t{2} * item * count, 0, 0, memory.scratch);
          const auto channel = begin * channels_per_chunk;
          for_sums_of_rows<Sum>(memory.scratch, memory.weights + std::ptrdiff_t{channel} * count, count,
                                std::min(end * channels_per_chunk, channels) - channel,
                                [&](std::int32_t c, Sum sum) __attribute__((always_inline)) {
                                  store_output<By>(plan, memory, sum, channel + c, item * channels + channel + c);
                                });
        });
  }
};

/// A kernel that computes `tfl.conv_2d` on int16 with int8 weights. Inputs must have the zero point 0. The weights need not be constants:
/// another node may compute them at run time. Supports any padding, stride, dilation, groups, batch size and fused activation. The inputs
/// of a pixel are copied to scratch, and the weights of the model are read without packing them. Outputs are bit-identical to
/// `portable::conv_2d`.
template <options Options = options{}>
struct int16_conv_2d : int16_image_kernel<int16_conv_2d<Options>, portable::conv_2d, Options, int16_rows> {
  static constexpr literal_name operators[] = {"tfl.conv_2d"};
};
static_assert(kernel<int16_conv_2d<>>);

/// A kernel that computes `tfl.fully_connected` on int16 with int8 weights, in the same way as `int16_conv_2d`. Inputs must have the zero
/// point 0. Outputs are bit-identical to `portable::fully_connected`.
template <options Options = options{}>
struct int16_fully_connected : int16_kernel<portable::fully_connected, portable::channel_scaling::one_scale_in_float, Options, int16_rows> {
  using base = int16_kernel<portable::fully_connected, portable::channel_scaling::one_scale_in_float, Options, int16_rows>;
  static constexpr literal_name operators[] = {"tfl.fully_connected"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<int16_layer> {
    auto result = base::describe(program, record);
    const auto& layer = result.plan.layer;
    if (result.support) {
      portable::detail::set_chunks(result.facts, layer.batches, {layer.out.channels, int16_dense_chunks::channels_per_chunk});
    }
    return result;
  }
  using base::compute;
  template <class Call>
  static void compute(const Call& call) {
    base::template compute_part<int16_fully_connected>(call, 0, -1);
  }
  /// Computes the chunks [`first`, `last`) (see `int16_dense_chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    base::template compute_range<int16_fully_connected, int16_dense_chunks>(call, first, last);
  }
};
static_assert(kernel<int16_fully_connected<>>);

}  // namespace detail

}  // namespace baton::cortex_m
