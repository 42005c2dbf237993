// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Descriptions of layers with square images and filters, for measurements.
#pragma once

#include "kernels/layer.hpp"

namespace one_layer {

/// A convolution of `size` x `size` pixels with SAME padding.
constexpr auto convolution(int size, int in, int out, int filter, int stride = 1) -> layer {
  return {.is = op::conv_2d,
          .height = size,
          .width = size,
          .channels = in,
          .out_channels = out,
          .filter_height = filter,
          .filter_width = filter,
          .stride_h = stride,
          .stride_w = stride};
}
/// A depthwise convolution with `times` outputs for each input channel, and SAME padding.
constexpr auto depthwise(int size, int in, int times, int filter, int stride = 1) -> layer {
  auto result = convolution(size, in, in * times, filter, stride);
  result.is = op::depthwise_conv_2d;
  return result;
}
/// A pool without padding.
constexpr auto pool(op is, int size, int channels, int filter, int stride) -> layer {
  auto result = convolution(size, channels, channels, filter, stride);
  result.is = is;
  result.is_same = false;
  return result;
}
/// A fully connected layer with one scale for all weights.
constexpr auto dense(int in, int out) -> layer {
  return {.is = op::fully_connected, .channels = in, .out_channels = out, .is_per_channel = false};
}

}  // namespace one_layer
