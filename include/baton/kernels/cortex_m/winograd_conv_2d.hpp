// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// 3 × 3 convolutions with stride 1 for a Cortex-M: Winograd's F(2x2, 3x3) in integers. Four outputs take 16 products per input channel
// instead of 36.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/winograd_layer.hpp>
#include <baton/kernels/cortex_m/detail/winograd_routines.hpp>
#include <baton/kernels/cortex_m/detail/winograd_tiles.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// A kernel that computes `tfl.conv_2d` and `baton.conv_2d` on int8 with a 3 × 3 filter, stride 1, no dilation, no groups and constant
/// weights. Requires 8 to 64 input channels, in multiples of four, and an even number of output channels from 8 to 4094. Requires
/// `optimize_for::speed`, and that the additional flash of the transformed weights is at most `options::max_winograd_bytes`. Also requires
/// requantization factors in [0, 1/2), and scaled sums that provably fit 32 bits. All sums are integers, so results are bit-identical to
/// `portable::conv_2d`. In a kernel list, this kernel must precede `conv_2d`, which supports the same nodes.
template <options Options = options{}>
struct winograd_conv_2d {
  static constexpr literal_name operators[] = {"tfl.conv_2d", "baton.conv_2d"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::winograd_plan> {
    auto result = detail::describe_winograd(program, record, Options);
    if (!result.support) return result;
    const auto& layer = result.plan.layer;
    auto& facts = result.facts;
    facts.scratch_bytes = static_cast<std::uint32_t>(layer.scratch_bytes());
    facts.prepared = {static_cast<std::size_t>(layer.channels / 2), static_cast<std::size_t>(layer.block_words())};
    facts.rows_per_step = 2;  // a tile (`winograd_layer`) has two output rows
    facts.single_row_scratch_bytes = static_cast<std::uint32_t>(layer.by_single_rows().scratch_bytes());
    facts.operands[0].distance = detail::winograd_distance(layer);
    facts.operands[0].window = portable::detail::image_window(layer.batches, layer.rows, layer.columns);
    if (layer.batches == 1) {
      facts.chunks = detail::pairs_of(layer);
      facts.uneven_chunks_percent = portable::detail::uneven_chunks_percent(layer.rows.output * layer.columns.output, facts.chunks,
                                                                            detail::pixels_of_largest_pair(layer));
    }
    return result;
  }
  /// Computes the node in portable C++.
  static void compute(const detail::winograd_plan& plan, const node_memory& memory) {
    detail::convolve_images(plan, detail::winograd_steps{plan.layer}, memory.inputs[0], memory.prepared.data(), memory.scratch.data(),
                            memory.outputs[0], 0, rows_of(plan));
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
    detail::pack_winograd(program, record, first, to);
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, rows_of(node_plan<winograd_conv_2d, Call>));
  }
  /// Computes output rows [`first`, `last`). Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = plan_of<Call>();
    detail::convolve_images(plan, steps<plan.layer>(), call.template input<0>(), stream_of(call), call.scratch().data(),
                            call.template output<0>(), first, last);
  }
  /// Computes the chunks [`first`, `last`). A chunk (see `kernel_facts::chunks`) is a pair of tiles. The batch has one image.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<winograd_conv_2d, Call>;
    detail::convolve_pairs(plan, steps<plan.layer>(), call.template input<0>(), stream_of(call), call.scratch().data(),
                           call.template output<0>(), first, last);
  }

 private:
  template <class Call>
  static auto stream_of(const Call& call) -> const char* {
    return reinterpret_cast<const char*>(call.prepared().data());
  }
  template <class Call>
  static constexpr detail::winograd_plan plan_by_single_rows = [] {
    auto plan = node_plan<winograd_conv_2d, Call>;
    plan.layer = plan.layer.by_single_rows();
    return plan;
  }();
  /// Returns the plan of a call. Tiles have one output row if each call computes a single row.
  template <class Call>
  static constexpr auto plan_of() -> const detail::winograd_plan& {
    if constexpr (Call::computes_single_rows) {
      return plan_by_single_rows<Call>;
    } else {
      return node_plan<winograd_conv_2d, Call>;
    }
  }
  /// Returns the assembly routines of a layer, or `winograd_steps` if the target has no DSP extension.
  template <detail::winograd_layer Layer>
  static constexpr auto steps() -> decltype(auto) {
#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'
    return (detail::winograd_routines_of < Layer.in_channels, Layer.channels, Layer.corrects_ties != 0, Layer.tile_rows >);
#else
    return detail::winograd_steps{Layer};
#endif
  }
  static constexpr auto rows_of(const detail::winograd_plan& plan) -> std::int32_t { return plan.layer.batches * plan.layer.rows.output; }
};
static_assert(kernel<winograd_conv_2d<>>);

}  // namespace detail

}  // namespace baton::cortex_m
