// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution on int8 with a number of channels that does not fill whole vectors.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>
#include <baton/kernels/helium/depthwise.hpp>
#include <baton/kernels/helium/detail/vectors.hpp>

#include <cstdint>

namespace baton::helium {

namespace detail {

/// True if a 3 × 3 layer needs fewer instructions with groups of four channels than with vectors of 16. On a Cortex-M55 with -O2, a pixel
/// of four channels takes about 60 instructions at stride 1, and 120 at other strides. A pixel of 16 channels takes about 240 with a
/// vector.
constexpr auto prefers_groups(std::int32_t channels, std::int32_t stride) -> bool {
  return (channels + 3) / 4 * (stride == 1 ? 60 : 120) < (channels + vector_bytes - 1) / vector_bytes * 240;
}

/// The Cortex-M kernel of depthwise convolutions, for the 3 × 3 layers that it computes in fewer instructions than
/// `helium::detail::depthwise_conv_2d`. Outputs are bit-identical to `portable::depthwise_conv_2d`.
struct few_channel_depthwise : cortex_m::detail::depthwise_conv_2d<> {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<cortex_m::detail::depthwise_plan> {
    auto result = cortex_m::detail::depthwise_conv_2d<>::describe(program, record);
    if (!result.support) return result;
    const auto& plan = result.plan;
    if (plan.algorithm != cortex_m::detail::depthwise_algorithm::pairs) {
      result.support = refuse("the layer is not computed by pairs of rows (depthwise_algorithm::pairs)");
    } else if (side_by_side_channels::pixels_per_vector(plan.channels, plan.columns) > 1 ||
               !prefers_groups(plan.channels, plan.columns.stride)) {
      result.support = refuse("vectors of 16 channels need fewer instructions than groups of four");
    }
    return result;
  }
};
static_assert(kernel<few_channel_depthwise>);

}  // namespace detail

}  // namespace baton::helium
