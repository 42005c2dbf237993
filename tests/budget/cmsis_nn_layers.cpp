// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares CMSIS-NN with the portable kernels on random layers, on a core with DSP or Helium instructions. The layers cover cases that the
// models do not have.
#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>

#include "firmware/comparison.hpp"
#include "kernels/layer.hpp"

#include <cstdint>
#include <initializer_list>
#include <utility>

namespace {

using one_layer::layer;
using one_layer::op;

/// Sizes that are not multiples of vectors and words, strides, paddings, dilations and groups.
constexpr auto random_layer(op is, std::uint32_t seed) -> layer {
  auto state = seed * 2654435761u + 99 + static_cast<std::uint32_t>(is);
  for (int i = 0; i < 4; ++i) one_layer::next_random(state);
  const auto of = [&](std::initializer_list<int> choices) {
    return choices.begin()[(one_layer::next_random(state) >> 8) % choices.size()];
  };
  layer l{.is = is};
  l.channels = of({1, 2, 3, 4, 5, 8, 16, 19, 33});
  l.out_channels = of({1, 2, 3, 4, 7, 8, 16});
  l.has_bias = of({0, 1, 1}) != 0;
  l.is_per_channel = of({0, 1, 1}) != 0;
  l.input_zero_point = of({-3, 0, 20, -128, 127});
  l.zero_point = of({5, 0, -128, 127});
  l.fused = of({0, 1}) != 0 ? one_layer::activation::none : one_layer::activation::relu;
  if (is == op::fully_connected) {
    l.batch = of({1, 1, 2});
    return l;
  }
  l.height = of({1, 1, 4, 5, 7});
  l.width = of({4, 5, 7, 9});
  l.filter_height = l.height == 1 ? 1 : of({1, 2, 3, 3});
  l.filter_width = of({1, 1, 2, 3, 3});
  l.stride_h = of({1, 1, 2});
  l.stride_w = of({1, 1, 2, 3});
  l.is_same = of({0, 1}) != 0;
  if (is == op::conv_2d && of({0, 0, 1}) != 0) l.dilation_w = 2;
  if (is == op::conv_2d && l.channels % 4 == 0 && of({0, 1}) != 0) {
    l.groups = 4;
    l.out_channels = 8;
  }
  if (is == op::depthwise_conv_2d) l.out_channels = l.channels * of({1, 1, 2, 4, 9});
  if (!l.has_weights()) l.out_channels = l.channels;
  if ((l.filter_width - 1) * l.dilation_w >= l.width || l.filter_height > l.height) l.is_same = true;
  return l;
}

template <class Kernel, class Portable, op Is, std::uint32_t... Seeds>
void compare(const char* what, std::integer_sequence<std::uint32_t, Seeds...>) {
  (firmware::compare_kernels<one_layer::make<random_layer(Is, Seeds)>, Portable, Kernel>(what), ...);
}

}  // namespace

int main() {
  namespace portable = baton::portable;
  namespace library = baton::cmsis_nn;
  constexpr std::uint32_t seeds = 24;
  constexpr auto all = std::make_integer_sequence<std::uint32_t, seeds>{};
  compare<library::conv_2d, portable::conv_2d, op::conv_2d>("conv_2d", all);
  compare<library::depthwise_conv_2d, portable::depthwise_conv_2d, op::depthwise_conv_2d>("depthwise_conv_2d", all);
  compare<library::fully_connected, portable::fully_connected, op::fully_connected>("fully_connected", all);
  compare<library::average_pool_2d, portable::average_pool_2d, op::average_pool_2d>("average_pool_2d", all);
  compare<library::max_pool_2d, portable::max_pool_2d, op::max_pool_2d>("max_pool_2d", all);
  return firmware::verdict(5 * seeds * 4);
}
