// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// conv_2d options: fused activations, biases, per-tensor and per-channel scales, extreme zero points, and patches too long for the stack.
#include "check_layer.hpp"

#include <baton/kernels/portable/convolution.hpp>

namespace {

using baton::portable::conv_2d;
using one_layer::activation;
using one_layer::layer;

constexpr layer small{.height = 6, .width = 5, .channels = 4, .out_channels = 6, .filter_height = 3, .filter_width = 2};

constexpr auto with(activation fused, int input_zero_point, int zero_point, bool has_bias, bool is_per_channel) -> layer {
  auto l = small;
  l.fused = fused;
  l.input_zero_point = input_zero_point;
  l.zero_point = zero_point;
  l.has_bias = has_bias;
  l.is_per_channel = is_per_channel;
  return l;
}

}  // namespace

TEST_CASE("conv_2d int8 matches the reference for all activations, biases, scales and zero points") {
  check_layer<conv_2d, with(activation::none, -128, 127, false, true)>();
  check_layer<conv_2d, with(activation::relu, 127, -128, true, false)>();
  check_layer<conv_2d, with(activation::relu, -3, 5, false, false)>();
  check_layer<conv_2d, with(activation::relu6, 0, -128, true, true)>();
  check_layer<conv_2d, with(activation::relu6, 10, 40, true, true)>();
  check_layer<conv_2d, with(activation::relu_n1_to_1, -7, 3, true, true)>();
}

TEST_CASE("conv_2d int8 reads long sums tap by tap") {
  check_layer<conv_2d, layer{.height = 5, .width = 4, .channels = 130, .out_channels = 5, .filter_height = 3, .filter_width = 3}>();
  check_layer<conv_2d, layer{.height = 2, .width = 2, .channels = 1030, .out_channels = 6}>();
  check_layer<conv_2d, layer{.height = 5,
                             .width = 5,
                             .channels = 260,
                             .out_channels = 4,
                             .filter_height = 3,
                             .filter_width = 3,
                             .dilation_h = 2,
                             .groups = 2}>();
}
