// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The vector code of the Helium kernels against the portable kernels, on random inputs, on a Cortex-M55.
#include <baton/kernels/helium_kernels.hpp>

#include "firmware/comparison.hpp"

#if !defined(__ARM_FEATURE_MVE)
#error "this image tests vector code, so it needs a target with Helium"
#endif

namespace {

using firmware::compare_kernels;
using firmware::compare_layers;
using firmware::pair;
using one_layer::activation;
using one_layer::layer;
using one_layer::once;
using one_layer::op;

constexpr auto pool(op is, int channels, int stride, bool is_same) -> layer {
  layer l;
  l.is = is;
  l.height = 9;
  l.width = 7;
  l.channels = l.out_channels = channels;
  l.filter_height = l.filter_width = 3;
  l.stride_h = stride;
  l.is_same = is_same;
  l.fused = channels > 20 ? activation::relu : activation::none;
  return l;
}
constexpr auto whole_image(int height, int width, int channels) -> layer {
  auto l = pool(op::average_pool_2d, channels, 1, false);
  l.height = l.filter_height = height;
  l.width = l.filter_width = width;
  return l;
}
constexpr auto depthwise(int channels, int width, int stride, int zero_point) -> layer {
  layer l;
  l.is = op::depthwise_conv_2d;
  l.height = 5;
  l.width = width;
  l.channels = l.out_channels = channels;
  l.filter_height = l.filter_width = 3;
  l.stride_w = stride;
  l.zero_point = zero_point;
  return l;
}
constexpr auto convolution(int inputs, int outputs, int size, int zero_point) -> layer {
  layer l;
  l.height = l.width = 6;
  l.channels = inputs;
  l.out_channels = outputs;
  l.filter_height = l.filter_width = size;
  l.zero_point = zero_point;
  return l;
}
constexpr auto dense(int inputs, int outputs, int zero_point) -> layer {
  return {.is = op::fully_connected, .batch = 2, .channels = inputs, .out_channels = outputs, .zero_point = zero_point};
}

template <class Kernel, class Portable, layer... Layers>
void compare_pools(const char* label) {
  (compare_kernels<one_layer::make<Layers>, Portable, Kernel>(label), ...);
}

}  // namespace

int main() {
  namespace helium = baton::helium::detail;
  namespace portable = baton::portable;
  compare_kernels<pair<"tfl.add", 531, -128>, portable::pairwise, helium::add>("sum");
  compare_kernels<pair<"tfl.add", 512, 5>, portable::pairwise, helium::add>("sum with a lower bound");
  compare_kernels<pair<"tfl.sub", 515, -100>, portable::pairwise, helium::add>("difference");
  compare_kernels<pair<"tfl.sub", 515, 127, false, 9>, portable::pairwise, helium::add>("difference with the table on the right");
  compare_kernels<pair<"tfl.add", 4096, 3, true>, portable::pairwise, helium::add>("sum with ties");
  compare_kernels<pair<"tfl.mul", 77, -128>, portable::pairwise, helium::mul>("product");
  compare_kernels<pair<"tfl.mul", 4096, 3, true>, portable::pairwise, helium::mul>("product with ties");
  compare_pools<helium::average_pool_2d, portable::average_pool_2d, pool(op::average_pool_2d, 9, 2, true),
                pool(op::average_pool_2d, 33, 1, false), whole_image(8, 8, 64), whole_image(16, 16, 3), whole_image(25, 5, 12),
                whole_image(1, 1, 5)>("average");
  compare_pools<helium::max_pool_2d, portable::max_pool_2d, pool(op::max_pool_2d, 10, 2, true), pool(op::max_pool_2d, 33, 1, false)>(
      "largest");
  compare_layers<helium::depthwise_conv_2d, portable::depthwise_conv_2d, depthwise(8, 8, 1, -128), depthwise(8, 7, 1, 5),
                 depthwise(4, 9, 1, 5), depthwise(2, 21, 1, -3), depthwise(8, 7, 2, 5), depthwise(18, 5, 1, -128),
                 once(depthwise(32, 6, 2, 5), 1, 1, 1, 1)>("depthwise");
  compare_layers<helium::few_channel_depthwise, portable::depthwise_conv_2d, depthwise(5, 9, 1, 5), depthwise(20, 5, 1, -128)>(
      "few channels");
  compare_layers<helium::conv_2d, portable::conv_2d, convolution(5, 6, 3, 5), convolution(20, 9, 1, -128),
                 once(convolution(20, 9, 1, 5), 0, 0, 1, 1)>("convolution");
  compare_layers<helium::fully_connected, portable::fully_connected, dense(10, 6, 5), dense(345, 13, -128)>("fully connected");
  return firmware::verdict(4 * 29);
}
