// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution with 3 × 3 windows on a Cortex-M with the DSP extension, with little scratch.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_memory.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_taps.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// Returns the `min_distance` between the input and the output of a depthwise convolution by `depthwise_algorithm::taps`. Within a pixel, a
/// group of four channels is read after the groups before it have been written. If the number of channels is not a multiple of four, the
/// last group reads up to three channels of the previous group again. The outputs of these channels are already written.
constexpr auto distance_by_taps(const depthwise_plan& plan) -> min_distance {
  const portable::window_walk walk{.rows = plan.rows,
                                   .columns = plan.columns,
                                   .in_pixel_bytes = plan.channels,
                                   .out_pixel_bytes = plan.channels,
                                   .batches = plan.batches};
  const auto read_again = plan.channels < packed_channels ? 0 : plan.groups() * packed_channels - plan.channels;
  auto distance = portable::distance_of(walk, read_again);
  // If the pixels are written in descending order, the groups within a pixel are still written in ascending order. So the last group is
  // read after the other groups of the pixel have been written, and the distance grows by one pixel.
  const std::int64_t output = std::int64_t{plan.output_rows()} * plan.out_row_bytes();
  if (plan.channels > packed_channels) distance.descending = std::min(output, distance.descending + plan.channels);
  return distance;
}

/// A form of `depthwise_conv_2d` with little scratch, for layers that `depthwise_conv_2d` computes by `depthwise_algorithm::pairs`. A form
/// is an alternative kernel that only `within` selects. Computes pixel by pixel, so the minimum distance may be up to two rows smaller than
/// with `depthwise_conv_2d`. Takes two to four times the instructions of `depthwise_conv_2d`. Refuses layers that `depthwise_conv_2d`
/// itself computes by taps.
template <options Options = options{}>
struct depthwise_conv_2d_by_taps {
  static constexpr literal_name operators[] = {"tfl.depthwise_conv_2d", "baton.depthwise_conv_2d"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<depthwise_plan> {
    auto result = describe_depthwise(program, record, true);
    if (!result.support) return result;
    if (geometry_and_algorithm_of(program, record).algorithm == depthwise_algorithm::taps)
      return {refuse("depthwise_conv_2d already computes this layer by taps")};
    const auto& plan = result.plan;
    auto& facts = result.facts;
    facts.scratch_bytes = tap_scratch_bytes(plan);
    facts.chunks = plan.output_rows() * plan.columns.output;
    // Each load reads four channels. If a pixel has fewer channels, the last loads read past the end of the input.
    facts.overread_bytes = static_cast<std::uint32_t>(std::max<std::int32_t>(0, packed_channels - plan.channels));
    facts.prepared = {static_cast<std::size_t>(plan.blocks()), static_cast<std::size_t>(plan.block_words())};
    facts.operands[0].distance = distance_by_taps(plan);
    facts.operands[0].window = portable::detail::image_window(plan.batches, plan.rows, plan.columns);
    return result;
  }
  static void compute(const depthwise_plan& plan, const node_memory& memory) {
    const depthwise_memory at{reinterpret_cast<const std::int8_t*>(memory.inputs[0]),
                              static_cast<const std::int32_t*>(static_cast<const void*>(memory.prepared.data())),
                              reinterpret_cast<std::int8_t*>(memory.outputs[0]), memory.scratch.data()};
    compute_taps(plan, at, 0, plan.output_rows(), memory.order);
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int32_t> to) {
    const auto plan = facts_of(program, record, true).plan;
    const depthwise_channels all(program, record, plan);
    const auto words = static_cast<std::size_t>(plan.block_words());
    auto group = static_cast<std::int32_t>(first);
    for (std::size_t at = 0; at < to.size(); at += words, ++group) put_tap_group(plan, all, group, to.data() + at);
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_taps(node_plan<depthwise_conv_2d_by_taps, Call>, memory_of(call), 0, node_plan<depthwise_conv_2d_by_taps, Call>.output_rows(),
                 call.order());
  }
  /// Computes output rows [`first`, `last`) in the order of the call. Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    compute_taps(node_plan<depthwise_conv_2d_by_taps, Call>, memory_of(call), first, last, call.order());
  }
  /// Computes the chunks [`first`, `last`). A chunk (see `kernel_facts::chunks`) is one pixel.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    compute_tap_pixels(node_plan<depthwise_conv_2d_by_taps, Call>, memory_of(call), first, last);
  }

 private:
  template <class Call>
  static auto memory_of(const Call& call) -> depthwise_memory {
    return {reinterpret_cast<const std::int8_t*>(call.template input<0>()), call.prepared().data(),
            reinterpret_cast<std::int8_t*>(call.template output<0>()), call.scratch().data()};
  }
};
static_assert(kernel<depthwise_conv_2d_by_taps<>>);

}  // namespace detail

}  // namespace baton::cortex_m
