// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pools of four channels per step: random ones, windows whose sums exceed 16 bits, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/pooling.hpp>

#include "kernels/check_pools.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using baton::cortex_m::detail::average_pool_2d;
using baton::cortex_m::detail::max_pool_2d;
using one_layer::layer;
using one_layer::op;

auto fills_a_word(const layer& l, std::uint32_t) -> bool { return l.channels >= 4; }

}  // namespace

TEST_CASE("random average pools match the reference") { check_random_pools<average_pool_2d<>>(op::average_pool_2d, fills_a_word); }
TEST_CASE("random maximum pools match the reference") { check_random_pools<max_pool_2d<>>(op::max_pool_2d, fills_a_word); }

TEST_CASE("averages whose sums exceed 16 bits match the reference") {
  for (const int height : {1, 16, 17, 40}) {
    for (const int width : {15, 16, 257, 700}) {
      for (const char x : {'\x80', '\x7f', '\x01'}) check_average_of<average_pool_2d<>>(height, width, 5, x);
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

TEST_CASE("pools obey the laws of kernels") { check_pool_laws<average_pool_2d<>, 7, max_pool_2d<>, 10>(); }
