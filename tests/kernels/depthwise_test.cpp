// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_2d on int8 and float32 against the reference.
#include "check_layer.hpp"

#include <baton/kernels/portable/depthwise.hpp>

namespace {

using baton::portable::depthwise_conv_2d;
using one_layer::activation;
using one_layer::layer;
using one_layer::op;

constexpr auto depthwise(layer l) -> layer {
  l.is = op::depthwise_conv_2d;
  return l;
}

}  // namespace

TEST_CASE("depthwise_conv_2d int8 matches the reference with one output channel per input channel") {
  check_layer<depthwise_conv_2d,
              depthwise({.height = 7, .width = 5, .channels = 8, .out_channels = 8, .filter_height = 3, .filter_width = 3})>();
  check_layer<depthwise_conv_2d, depthwise({.height = 8,
                                            .width = 9,
                                            .channels = 37,
                                            .out_channels = 37,
                                            .filter_height = 3,
                                            .filter_width = 2,
                                            .stride_h = 2,
                                            .stride_w = 2,
                                            .fused = activation::relu})>();
  check_layer<depthwise_conv_2d, depthwise({.batch = 2,
                                            .height = 9,
                                            .width = 7,
                                            .channels = 16,
                                            .out_channels = 16,
                                            .filter_height = 3,
                                            .filter_width = 3,
                                            .dilation_h = 2,
                                            .dilation_w = 2,
                                            .is_same = false,
                                            .is_per_channel = false})>();
  check_layer<depthwise_conv_2d, depthwise({.height = 10,
                                            .width = 7,
                                            .channels = 5,
                                            .out_channels = 5,
                                            .filter_height = 5,
                                            .filter_width = 1,
                                            .stride_h = 3,
                                            .stride_w = 3,
                                            .has_bias = false,
                                            .fused = activation::relu6,
                                            .input_zero_point = 127,
                                            .zero_point = -128})>();
}

TEST_CASE("depthwise_conv_2d int8 matches the reference with several output channels per input channel") {
  check_layer<depthwise_conv_2d, depthwise({.height = 7,
                                            .width = 6,
                                            .channels = 1,
                                            .out_channels = 8,
                                            .filter_height = 3,
                                            .filter_width = 3,
                                            .stride_h = 2,
                                            .stride_w = 2})>();
  check_layer<depthwise_conv_2d,
              depthwise(
                  {.height = 6, .width = 5, .channels = 4, .out_channels = 8, .filter_height = 2, .filter_width = 3, .is_same = false})>();
  check_layer<depthwise_conv_2d, depthwise({.height = 6,
                                            .width = 5,
                                            .channels = 3,
                                            .out_channels = 9,
                                            .filter_height = 3,
                                            .filter_width = 3,
                                            .dilation_h = 2,
                                            .fused = activation::relu_n1_to_1,
                                            .input_zero_point = -128})>();
  check_layer<depthwise_conv_2d,
              depthwise({.height = 4, .width = 5, .channels = 2, .out_channels = 34, .filter_height = 3, .filter_width = 3})>();
}

TEST_CASE("depthwise_conv_2d float32 matches the reference") {
  check_layer<depthwise_conv_2d, depthwise({.is_int8 = false,
                                            .height = 7,
                                            .width = 5,
                                            .channels = 18,
                                            .out_channels = 18,
                                            .filter_height = 3,
                                            .filter_width = 3,
                                            .stride_h = 2,
                                            .stride_w = 2})>();
  check_layer<depthwise_conv_2d, depthwise({.is_int8 = false,
                                            .batch = 2,
                                            .height = 6,
                                            .width = 6,
                                            .channels = 3,
                                            .out_channels = 6,
                                            .filter_height = 3,
                                            .filter_width = 3,
                                            .dilation_w = 2,
                                            .is_same = false,
                                            .fused = activation::relu6})>();
}
