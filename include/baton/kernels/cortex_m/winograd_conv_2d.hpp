// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Convolutions of 3 by 3 taps and stride 1 for a Cortex-M with 16 products where there are 36: Winograd's F(2x2, 3x3) in integers.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernels/cortex_m/detail/winograd_layer.hpp>
#include <baton/kernels/cortex_m/detail/winograd_routines.hpp>
#include <baton/kernels/cortex_m/detail/winograd_tiles.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/portable/convolution.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// `tfl.conv_2d` on int8 of 3 by 3 taps and stride 1 with constant weights, where `options::winograd_bytes` has room for the transformed
/// ones; numeric rules: `portable::conv_2d`, to the byte, for all sums are whole numbers. To stand in front of the other convolutions.
template <options Options = options{}>
struct winograd_conv_2d {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.conv_2d")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return describe(program, record).found;
  }
  static constexpr auto describe(const program_view& program, const node& record) -> portable::description<detail::winograd_plan> {
    return detail::describe_winograd(program, record, Options);
  }
  /// The plain form.
  static void compute(const detail::winograd_plan& plan, const portable::node_memory& at) {
    detail::convolve_images(plan, detail::winograd_parts{plan.layer}, at.inputs[0], at.prepared.data(), at.scratch.data(), at.outputs[0], 0,
                            rows_of(plan));
  }

  static constexpr auto prepared_size(const program_view& program, const node& record) -> prepared_blocks<std::uint32_t> {
    const auto layer = describe(program, record).plan.layer;
    return {static_cast<std::size_t>(layer.channels / 2), static_cast<std::size_t>(layer.block_words())};
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
    detail::pack_winograd(program, record, first, to);
  }
  static constexpr auto scratch_bytes(const program_view& program, const node& record) -> std::uint32_t {
    return static_cast<std::uint32_t>(describe(program, record).plan.layer.scratch_bytes());
  }
  static constexpr auto distance_of(const program_view& program, const node& record, std::size_t operand) -> least_distance {
    if (operand != 0) return {};
    return detail::winograd_distance(describe(program, record).plan.layer);
  }

  static constexpr auto window_of(const program_view& program, const node& record, std::size_t operand) -> row_window {
    return portable::conv_2d::window_of(program, record, operand);
  }
  /// Those of a tile.
  static constexpr auto rows_at_once(const program_view&, const node&) -> std::int32_t { return 2; }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto rows = rows_of(detail::describe_winograd(Call::program(), Call::record(), Options).plan);
    run_rows(call, 0, rows);
  }

  /// Output rows `first` up to, not including, `last`; the rows of a batch's second image follow those of its first.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    static constexpr auto plan = detail::describe_winograd(Call::program(), Call::record(), Options).plan;
    const char* input = call.template input<0>();
    const auto* stream = reinterpret_cast<const char*>(call.prepared().data());
#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'
    detail::convolve_images_by(plan, detail::winograd_routines_of<plan.layer.in_channels, plan.layer.channels>, input, stream,
                               call.scratch().data(), call.template output<0>(), first, last);
#else
    detail::convolve_images(plan, detail::winograd_parts{plan.layer}, input, stream, call.scratch().data(), call.template output<0>(),
                            first, last);
#endif
  }

 private:
  static constexpr auto rows_of(const detail::winograd_plan& plan) -> std::int32_t { return plan.layer.batches * plan.layer.rows.output; }
};
static_assert(kernel<winograd_conv_2d<>>);

}  // namespace detail

}  // namespace baton::cortex_m
