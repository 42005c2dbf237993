// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Layers that are computed chunk by chunk, as slices do, against the portable kernels on random inputs.
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/int16_depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/int16_layers.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>

#include "firmware/comparison.hpp"
#include "kernels/int16_layer.hpp"

#include <cstdint>

namespace {

namespace cortex_m = baton::cortex_m::detail;
namespace portable = baton::portable;
using firmware::compare_kernels;
using one_layer::int16_layer;
using one_layer::layer;
using one_layer::op;
constexpr baton::cortex_m::options small{.optimize = baton::cortex_m::optimize_for::code_size};

/// Computes one chunk after another.
template <class Kernel>
struct by_chunks : Kernel {
  template <class Call>
  static void compute(const Call& call) {
    for (std::int32_t n = 0; n < baton::node_facts<Kernel, Call>.chunks; ++n) Kernel::compute_chunks(call, n, n + 1);
  }
};

template <int16_layer L>
using int16 = one_layer::make_int16<L>;

// Windows of 3 by 3 pixels in pairs of rows with a last row, at stride 2, and others; the last group of channels has fewer than four.
constexpr layer pairs{
    .is = op::depthwise_conv_2d, .height = 5, .width = 7, .channels = 10, .out_channels = 10, .filter_height = 3, .filter_width = 3};
constexpr layer strided{.is = op::depthwise_conv_2d,
                        .height = 7,
                        .width = 8,
                        .channels = 8,
                        .out_channels = 8,
                        .filter_height = 3,
                        .filter_width = 3,
                        .stride_h = 2,
                        .stride_w = 2};
constexpr layer taps{
    .is = op::depthwise_conv_2d, .height = 6, .width = 5, .channels = 6, .out_channels = 6, .filter_height = 2, .filter_width = 4};
constexpr layer image{.height = 4, .width = 5, .channels = 6, .out_channels = 9, .filter_height = 3, .filter_width = 2};
constexpr layer dense{.is = op::fully_connected, .batch = 2, .channels = 37, .out_channels = 7};

template <layer L>
void compare_depthwise() {
  compare_kernels<firmware::make<L>, portable::depthwise_conv_2d, by_chunks<cortex_m::depthwise_conv_2d<>>,
                  by_chunks<cortex_m::depthwise_conv_2d<small>>>("depthwise");
}

}  // namespace

int main() {
  compare_depthwise<pairs>();
  compare_depthwise<strided>();
  compare_depthwise<taps>();
  compare_kernels<int16<int16_layer{.shape = pairs}>, portable::depthwise_conv_2d, by_chunks<cortex_m::int16_depthwise_conv_2d<>>>("int16");
  compare_kernels<int16<int16_layer{.shape = image}>, portable::conv_2d, by_chunks<cortex_m::int16_conv_2d<>>,
                  by_chunks<cortex_m::int16_conv_2d<small>>>("int16 convolution");
  compare_kernels<int16<int16_layer{.shape = dense}>, portable::fully_connected, by_chunks<cortex_m::int16_fully_connected<>>,
                  by_chunks<cortex_m::int16_fully_connected<small>>>("int16 fully connected");
  return firmware::verdict(4 * (3 * 2 + 1 + 2 * 2));
}
