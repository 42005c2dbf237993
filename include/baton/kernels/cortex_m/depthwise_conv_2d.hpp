// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution on a Cortex-M with the DSP extension.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d_by_taps.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_memory.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_pairs.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_rows.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_walk.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_taps.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// Returns the `min_distance` between the input and the output of a depthwise convolution. A unit consists of the output rows that are
/// computed together. The groups of channels of a unit are written one after the other. So some inputs of the unit are read after earlier
/// groups have been written. For `depthwise_algorithm::taps`, pixels are written one by one, but the function assumes a unit of one row. So
/// the distance may be larger than necessary.
constexpr auto depthwise_distance(const depthwise_plan& plan) -> min_distance {
  const std::int64_t in_image = std::int64_t{plan.rows.input} * plan.in_row_bytes();
  const std::int64_t out_image = std::int64_t{plan.rows.output} * plan.out_row_bytes();
  min_distance distance{INT64_MIN, INT64_MIN};
  for (std::int32_t row = 0; row < plan.output_rows();) {
    const auto next = end_of_unit(plan, row);
    const auto image = row / plan.rows.output;
    const auto y = row % plan.rows.output;
    // [`begin`, `end`): the input rows of the unit [`row`, `next`), as byte offsets.
    const auto last_tap = plan.rows.origin(next - 1 - row + y) + (plan.rows.filter - 1) * plan.rows.dilation;
    const quantized::bounds<std::int32_t> inside{0, plan.rows.input};
    const auto begin = image * in_image + std::int64_t{inside.clamp(plan.rows.origin(y))} * plan.in_row_bytes();
    const auto end = image * in_image + std::int64_t{inside.clamp(last_tap + 1)} * plan.in_row_bytes();
    distance.ascending = std::max(distance.ascending, std::int64_t{next} * plan.out_row_bytes() - begin);
    distance.descending = std::max(distance.descending,
                                   (plan.batches * out_image - std::int64_t{row} * plan.out_row_bytes()) - (plan.batches * in_image - end));
    row = next;
  }
  // If the distance is the size of the output, input and output do not overlap, so no larger distance is needed.
  return {std::min(distance.ascending, plan.batches * out_image), std::min(distance.descending, plan.batches * out_image)};
}

/// A kernel that computes `tfl.depthwise_conv_2d` and `baton.depthwise_conv_2d` on int8 with constant weights and one output channel per
/// input channel. Each channel must have a constant output, or sums that provably fit 32 bits after multiplication by a power of two
/// from 4 to 256. Also requires that no window is completely in the padding. For most layers with 3 × 3 windows
/// (`depthwise_algorithm::pairs`), output rows are written in ascending or descending order. At stride 1, two rows are written together.
/// Within the rows that are written together, groups of four channels are written one after the other. For other layers, pixels are written
/// in ascending or descending order. For all layers, the inputs of a group of channels are read before the outputs of the group are
/// written.
template <options Options = options{}>
struct depthwise_conv_2d {
  static constexpr literal_name operators[] = {"tfl.depthwise_conv_2d", "baton.depthwise_conv_2d"};
  using forms = kernel_list<depthwise_conv_2d_by_taps<Options>>;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::depthwise_plan> {
    auto result = detail::describe_depthwise(program, record);
    if (!result.support) return result;
    const auto& plan = result.plan;
    auto& facts = result.facts;
    if (plan.algorithm == detail::depthwise_algorithm::pairs) {
      facts.scratch_bytes = detail::pair_scratch_bytes(plan, false);
      facts.scratch_bytes_saved_by_rows = facts.scratch_bytes - detail::pair_scratch_bytes(plan, true);
      portable::detail::set_chunks(facts, plan.batches, {plan.rows.output, plan.rows_per_step()}, {plan.channels, detail::packed_channels});
    } else {
      facts.scratch_bytes = detail::tap_scratch_bytes(plan);
      facts.chunks = plan.output_rows() * plan.columns.output;
    }
    // Each load reads four channels. If a pixel has fewer channels, the last loads read past the end of the input.
    facts.overread_bytes = static_cast<std::uint32_t>(std::max<std::int32_t>(0, detail::packed_channels - plan.channels));
    facts.prepared = {static_cast<std::size_t>(plan.blocks()), static_cast<std::size_t>(plan.block_words())};
    facts.operands[0].distance = detail::depthwise_distance(plan);
    facts.operands[0].window = portable::detail::image_window(plan.batches, plan.rows, plan.columns);
    return result;
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int32_t> to) {
    const auto plan = detail::facts_of(program, record).plan;
    const detail::depthwise_channels all(program, record, plan);
    const auto words = static_cast<std::size_t>(plan.block_words());
    auto block = static_cast<std::int32_t>(first);
    for (std::size_t at = 0; at < to.size(); at += words, ++block) {
      if (plan.algorithm == detail::depthwise_algorithm::pairs) {
        const auto channel = all.channel_with_scale(block, plan);
        plan.rows.stride == 1 ? put_pair_channel(plan, channel, to.data() + at) : put_strided_channel(plan, channel, to.data() + at);
      } else {
        put_tap_group(plan, all, block, to.data() + at);
      }
    }
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_part<counted::all_rows>(call, 0, node_plan<depthwise_conv_2d, Call>.output_rows(), call.order());
  }
  /// Computes output rows [`first`, `last`) in the order of the call. Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    compute_part<counted::some_rows>(call, first, last, call.order());
  }
  /// Computes the chunks [`first`, `last`). A chunk (see `kernel_facts::chunks`) is a group of four channels of one or two rows, or one
  /// pixel for `depthwise_algorithm::taps`.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    compute_part<counted::chunks>(call, first, last, write_order::ascending);
  }

 private:
  enum class counted : std::uint8_t { all_rows, some_rows, chunks };

  template <counted Counted, class Call>
  static void compute_part(const Call& call, std::int32_t first, std::int32_t last, write_order order) {
    constexpr const auto& plan = node_plan<depthwise_conv_2d, Call>;
    const auto stream = call.prepared();
    const detail::depthwise_memory at{reinterpret_cast<const std::int8_t*>(call.template input<0>()), stream.data(),
                                      reinterpret_cast<std::int8_t*>(call.template output<0>()), call.scratch().data()};
    constexpr bool is_fast = Options.optimize == optimize_for::speed;
    constexpr bool is_by_rows = Counted != counted::all_rows;
    [[maybe_unused]] const auto compute_with = [&](const detail::pair_functions& functions) __attribute__((always_inline)) {
      if constexpr (Counted == counted::chunks) {
        detail::compute_pair_chunks(plan, at, functions, first, last);
      } else {
        detail::compute_pairs<is_by_rows>(plan, at, functions, first, last, order);
      }
    };
    if constexpr (is_fast && !is_by_rows && detail::has_strided_rows(plan)) {
      detail::compute_strided_rows<plan>(at, order);
    } else if constexpr (plan.algorithm == detail::depthwise_algorithm::pairs) {
      // The tables of functions are static, so no instructions initialize them. With `code_size`, a table depends only on `stride`,
      // `corrects_ties` and `begins_odd` of `pair_walk`. So layers for which these are equal share the routines.
      if constexpr (is_fast) {
        static constexpr auto functions =
            detail::specialized_pair_functions<detail::pair_walk_of(plan), plan.has_other_shifts != 0, is_by_rows>();
        compute_with(functions);
      } else {
        static constexpr auto functions = detail::shared_pair_functions<detail::pair_walk_of(plan).shared()>();
        compute_with(functions);
      }
    } else if constexpr (Counted == counted::chunks) {
      detail::compute_tap_pixels(plan, at, first, last);
    } else {
      detail::compute_taps(plan, at, first, last, order);
    }
  }
};
static_assert(kernel<depthwise_conv_2d<>>);

}  // namespace detail

}  // namespace baton::cortex_m
