// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks of kernels of pools on int8: random ones, means of equal numbers, and the laws of kernels.
#pragma once

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

/// Compares 300 random pools with the reference. `prepare(layer, seed)` may change a layer; it returns whether the kernel supports it.
template <class Kernel, class Prepare>
void check_random_pools(one_layer::op is, Prepare prepare) {
  int computed = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    auto l = one_layer::random_layer(is, seed);
    l.is_int8 = true;
    const bool is_supported = prepare(l, seed);
    CAPTURE(seed);
    REQUIRE((one_node::refusal<Kernel>(build(l, {})) == "") == is_supported);
    if (!is_supported) continue;
    for (const auto& input : one_layer::inputs_of(l)) {
      CHECK(is_right<Kernel>(l, {}, {input.begin(), input.end()}));
    }
    ++computed;
  }
  CHECK(computed > 150);
}

/// Compares an average over a whole image, in which all numbers but one are `x`, with the reference.
template <class Kernel>
void check_average_of(int height, int width, int channels, char x) {
  one_layer::layer l{
      .is = one_layer::op::average_pool_2d, .height = height, .width = width, .channels = channels, .out_channels = channels};
  l.filter_height = height;
  l.filter_width = width;
  l.is_same = false;
  l.input_zero_point = 0;
  one_node::bytes input(static_cast<std::size_t>(l.in_count()), x);
  input[3] = '\x10';
  CAPTURE(height);
  CAPTURE(width);
  CHECK(is_right<Kernel>(l, {}, input));
}

/// Checks the laws of an average pool of `Averaged` channels, and of a maximum pool of `Compared` channels.
template <class Average, int Averaged, class Max, int Compared>
void check_pool_laws() {
  constexpr one_layer::layer averages{.is = one_layer::op::average_pool_2d,
                                      .batch = 2,
                                      .height = 5,
                                      .width = 6,
                                      .channels = Averaged,
                                      .out_channels = Averaged,
                                      .filter_height = 3,
                                      .filter_width = 2,
                                      .stride_h = 2};
  check_layer<Average, averages>();
  constexpr one_layer::layer largest{.is = one_layer::op::max_pool_2d,
                                     .height = 4,
                                     .width = 5,
                                     .channels = Compared,
                                     .out_channels = Compared,
                                     .filter_height = 2,
                                     .filter_width = 2,
                                     .stride_h = 2,
                                     .stride_w = 2,
                                     .is_same = false};
  check_layer<Max, largest>();
}
