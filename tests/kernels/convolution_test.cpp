// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// conv_2d on int8, over geometries that the shared models do not contain.
#include "check_layer.hpp"

#include <baton/kernels/portable/convolution.hpp>

namespace {

using baton::portable::conv_2d;
using one_layer::activation;
using one_layer::layer;

}  // namespace

TEST_CASE("conv_2d int8 matches the reference with padding, strides, dilations and odd sizes") {
  check_layer<conv_2d, layer{.height = 7, .width = 5, .channels = 3, .out_channels = 5, .filter_height = 3, .filter_width = 3}>();
  check_layer<conv_2d, layer{.height = 9,
                             .width = 8,
                             .channels = 4,
                             .out_channels = 6,
                             .filter_height = 3,
                             .filter_width = 3,
                             .stride_h = 2,
                             .stride_w = 2}>();
  check_layer<conv_2d, layer{.height = 8,
                             .width = 9,
                             .channels = 2,
                             .out_channels = 9,
                             .filter_height = 4,
                             .filter_width = 2,
                             .stride_h = 2,
                             .stride_w = 3,
                             .is_same = false}>();
  check_layer<conv_2d, layer{.height = 10,
                             .width = 11,
                             .channels = 5,
                             .out_channels = 4,
                             .filter_height = 3,
                             .filter_width = 5,
                             .stride_h = 3,
                             .stride_w = 3}>();
  check_layer<conv_2d, layer{.height = 9,
                             .width = 7,
                             .channels = 3,
                             .out_channels = 4,
                             .filter_height = 3,
                             .filter_width = 3,
                             .dilation_h = 2,
                             .dilation_w = 2}>();
  check_layer<conv_2d, layer{.height = 9,
                             .width = 8,
                             .channels = 17,
                             .out_channels = 3,
                             .filter_height = 2,
                             .filter_width = 3,
                             .dilation_w = 2,
                             .is_same = false}>();
  check_layer<conv_2d, layer{.height = 4, .width = 3, .channels = 1, .out_channels = 2, .filter_height = 7, .filter_width = 9}>();
}

TEST_CASE("conv_2d int8 matches the reference at lengths close to multiples of the vector length, and in batches") {
  check_layer<conv_2d, layer{.height = 5, .width = 6, .channels = 8, .out_channels = 16}>();
  check_layer<conv_2d, layer{.height = 3, .width = 3, .channels = 16, .out_channels = 8}>();
  check_layer<conv_2d, layer{.height = 3, .width = 4, .channels = 31, .out_channels = 1, .is_per_channel = false}>();
  check_layer<
      conv_2d,
      layer{
          .batch = 3, .height = 4, .width = 5, .channels = 16, .out_channels = 7, .filter_height = 3, .filter_width = 3, .stride_h = 2}>();
  check_layer<conv_2d, layer{.height = 6, .width = 6, .channels = 33, .out_channels = 4, .stride_h = 3, .stride_w = 2, .is_same = false}>();
}

TEST_CASE("conv_2d int8 matches the reference with groups") {
  check_layer<conv_2d,
              layer{.height = 5, .width = 4, .channels = 6, .out_channels = 9, .filter_height = 3, .filter_width = 3, .groups = 3}>();
  check_layer<conv_2d, layer{.height = 3,
                             .width = 3,
                             .channels = 32,
                             .out_channels = 6,
                             .filter_height = 2,
                             .filter_width = 2,
                             .is_same = false,
                             .groups = 2}>();
}
