// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pools of four channels per step: random ones, windows whose sums exceed 16 bits, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/pooling.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using baton::cortex_m::detail::average_pool_2d;
using baton::cortex_m::detail::max_pool_2d;
using one_layer::layer;
using one_layer::op;

template <class Kernel>
void check_random(op is) {
  int computed = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    auto l = one_layer::random_layer(is, seed);
    l.is_int8 = true;
    CAPTURE(seed);
    CHECK((one_node::refusal<Kernel>(build(l, {})) == "") == (l.channels >= 4));
    if (l.channels < 4) continue;
    for (const auto& input : one_layer::inputs_of(l)) {
      CHECK(is_right<Kernel>(l, {}, {input.begin(), input.end()}));
    }
    ++computed;
  }
  CHECK(computed > 150);
}

}  // namespace

TEST_CASE("random average pools match the reference") { check_random<average_pool_2d<>>(op::average_pool_2d); }
TEST_CASE("random maximum pools match the reference") { check_random<max_pool_2d<>>(op::max_pool_2d); }

TEST_CASE("averages whose sums exceed 16 bits match the reference") {
  for (const int height : {1, 16, 17, 40}) {
    for (const int width : {15, 16, 257, 700}) {
      for (const char x : {'\x80', '\x7f', '\x01'}) {
        layer l{.is = op::average_pool_2d, .height = height, .width = width, .channels = 5, .out_channels = 5};
        l.filter_height = height;
        l.filter_width = width;
        l.is_same = false;
        l.input_zero_point = 0;
        one_node::bytes input(static_cast<std::size_t>(l.in_count()), x);
        input[3] = '\x10';
        CAPTURE(height);
        CAPTURE(width);
        CHECK(is_right<average_pool_2d<>>(l, {}, input));
      }
    }
  }
}

TEST_CASE("unsupported pools are rejected") {
  layer l{.is = op::max_pool_2d, .height = 2, .width = 2, .channels = 3, .out_channels = 3};
  CHECK(one_node::refusal<max_pool_2d<>>(build(l, {})) == "a pixel of 3 channels does not fill a word");
  l.channels = l.out_channels = 4;
  l.is_int8 = false;
  CHECK(one_node::refusal<max_pool_2d<>>(build(l, {})) == "the Cortex-M kernel supports only int8");
  CHECK(one_node::refusal<average_pool_2d<>>(build(l, {})) == "");  // the node of another operator is rejected without a reason
}

TEST_CASE("pools obey the laws of kernels") {
  constexpr layer l{.is = op::average_pool_2d,
                    .batch = 2,
                    .height = 5,
                    .width = 6,
                    .channels = 7,
                    .out_channels = 7,
                    .filter_height = 3,
                    .filter_width = 2,
                    .stride_h = 2};
  check_layer<average_pool_2d<>, l>();
  constexpr layer of_largest{.is = op::max_pool_2d,
                             .height = 4,
                             .width = 5,
                             .channels = 10,
                             .out_channels = 10,
                             .filter_height = 2,
                             .filter_width = 2,
                             .stride_h = 2,
                             .stride_w = 2,
                             .is_same = false};
  check_layer<max_pool_2d<>, of_largest>();
}
