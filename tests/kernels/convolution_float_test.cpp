// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// conv_2d on float32 against the reference.
#include "check_layer.hpp"

#include <baton/kernels/portable/convolution.hpp>

namespace {

using baton::portable::conv_2d;
using one_layer::activation;
using one_layer::layer;

}  // namespace

TEST_CASE("conv_2d float32 matches the reference") {
  check_layer<conv_2d,
              layer{.is_int8 = false, .height = 7, .width = 5, .channels = 3, .out_channels = 5, .filter_height = 3, .filter_width = 3}>();
  check_layer<conv_2d, layer{.is_int8 = false,
                             .batch = 2,
                             .height = 9,
                             .width = 8,
                             .channels = 9,
                             .out_channels = 11,
                             .filter_height = 3,
                             .filter_width = 2,
                             .stride_h = 2,
                             .stride_w = 3,
                             .is_same = false,
                             .fused = activation::relu}>();
  check_layer<conv_2d, layer{.is_int8 = false,
                             .height = 9,
                             .width = 7,
                             .channels = 4,
                             .out_channels = 8,
                             .filter_height = 3,
                             .filter_width = 3,
                             .dilation_h = 2,
                             .dilation_w = 2,
                             .has_bias = false,
                             .fused = activation::relu6}>();
  check_layer<
      conv_2d,
      layer{.is_int8 = false, .height = 4, .width = 4, .channels = 8, .out_channels = 6, .groups = 2, .fused = activation::relu_n1_to_1}>();
}
