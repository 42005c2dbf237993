// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>
#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using one_layer::layer;
using one_layer::op;
using one_node::drawn;

auto random_layer(drawn& draw, op is, std::uint32_t seed) -> layer {
  auto l = one_layer::random_layer(is, seed);
  l.is_int8 = true;
  l.batch = draw.of({1, 1, 1, 2, 3});
  return l;
}

/// How many of random layers a kernel takes; all it takes must be right.
template <class Kernel>
auto taken(op is) -> int {
  int count = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    drawn draw(seed);
    const auto l = random_layer(draw, is, seed);
    const auto with = random_weights(draw, l);
    const auto input = random_input(draw, l);
    CAPTURE(seed);
    CHECK(one_node::refusal<Kernel>(build(l, with)) == "");
    if (!one_node::refusal<Kernel>(build(l, with)).empty()) continue;
    CHECK(is_right<Kernel>(l, with, input));
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("random convolutions") { CHECK(taken<baton::cmsis_nn::conv_2d>(op::conv_2d) > 350); }
TEST_CASE("random depthwise convolutions") { CHECK(taken<baton::cmsis_nn::depthwise_conv_2d>(op::depthwise_conv_2d) > 300); }
TEST_CASE("random fully connected layers") { CHECK(taken<baton::cmsis_nn::fully_connected>(op::fully_connected) > 350); }
