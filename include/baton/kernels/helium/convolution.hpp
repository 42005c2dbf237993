// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution on int8 for a Cortex-M with Helium.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/helium/detail/dense.hpp>
#include <baton/kernels/helium/detail/packed_kernel.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>

namespace baton::helium {

namespace detail {

/// A kernel that computes `tfl.conv_2d` and `baton.conv_2d` on int8 without groups. Also computes `tfl.depthwise_conv_2d` and
/// `baton.depthwise_conv_2d` with one input channel, because such a layer is a convolution with another layout of the weights. Weights must
/// be constants, quantized per channel or per tensor. Supports any padding, stride, dilation, batch size and fused activation. Requires
/// requantization factors in [0, 1/2), and sums that provably fit 32 bits. Outputs are bit-identical to `portable::conv_2d`.
struct conv_2d : detail::packed_row_kernel<conv_2d, detail::dense> {
  static constexpr literal_name operators[] = {"tfl.conv_2d", "tfl.depthwise_conv_2d", "baton.conv_2d", "baton.depthwise_conv_2d"};

  static constexpr auto layer_of(const program_view& program, const node& record) -> node_description<detail::layer> {
    if (record.is("tfl.conv_2d") || record.is("baton.conv_2d")) return portable::conv_2d::describe(program, record);
    return portable::depthwise_conv_2d::describe(program, record);
  }
};

}  // namespace detail

}  // namespace baton::helium
