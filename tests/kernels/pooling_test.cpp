// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// average_pool_2d and max_pool_2d on int8 and float32 against the reference.
#include "check_layer.hpp"
#include "one_node.hpp"

#include <baton/kernels/portable/pooling.hpp>

namespace {

using baton::portable::average_pool_2d;
using baton::portable::max_pool_2d;
using one_layer::activation;
using one_layer::layer;
using one_layer::op;

constexpr auto pool(layer l, op is) -> layer {
  l.is = is;
  l.out_channels = l.channels;
  return l;
}

template <layer L>
void check_both() {
  check_layer<average_pool_2d, pool(L, op::average_pool_2d)>();
  check_layer<max_pool_2d, pool(L, op::max_pool_2d)>();
}

}  // namespace

TEST_CASE("pools on int8 match the reference") {
  check_both<layer{.height = 7, .width = 5, .channels = 3, .filter_height = 3, .filter_width = 2, .stride_h = 2, .stride_w = 2}>();
  check_both<layer{.batch = 2,
                   .height = 6,
                   .width = 7,
                   .channels = 16,
                   .filter_height = 2,
                   .filter_width = 2,
                   .stride_h = 2,
                   .stride_w = 3,
                   .is_same = false}>();
  check_both<layer{
      .height = 25, .width = 5, .channels = 21, .filter_height = 25, .filter_width = 5, .is_same = false, .input_zero_point = -128}>();
  check_both<layer{.height = 4, .width = 5, .channels = 8, .filter_height = 5, .filter_width = 7, .fused = activation::relu}>();
  check_both<layer{
      .height = 5, .width = 5, .channels = 4, .filter_height = 2, .filter_width = 3, .fused = activation::relu6, .input_zero_point = 20}>();
  check_both<layer{.height = 5,
                   .width = 5,
                   .channels = 4,
                   .filter_height = 1,
                   .filter_width = 1,
                   .stride_h = 3,
                   .stride_w = 3,
                   .fused = activation::relu_n1_to_1}>();
}

TEST_CASE("pools on float32 match the reference") {
  check_both<layer{
      .is_int8 = false, .height = 7, .width = 5, .channels = 19, .filter_height = 3, .filter_width = 3, .stride_h = 2, .stride_w = 2}>();
  check_both<layer{.is_int8 = false,
                   .batch = 2,
                   .height = 6,
                   .width = 6,
                   .channels = 4,
                   .filter_height = 2,
                   .filter_width = 2,
                   .is_same = false,
                   .fused = activation::relu6}>();
}

TEST_CASE("the rounded sum of the largest window fits 32 bits") {
  using baton::portable::detail::averaging;
  const auto whole_image = [](int height, int width) {
    return build(pool({.height = height, .width = width, .channels = 1, .filter_height = height, .filter_width = width, .is_same = false},
                      op::average_pool_2d),
                 {}, {});
  };
  static_assert(averaging::half_away(-128 * 16711935, 16711935) == -128 && averaging::half_away(127 * 16711935, 16711935) == 127);
  CHECK(one_node::refusal<average_pool_2d>(whole_image(255, 65537)) == "");                                   // 16711935 elements
  CHECK(one_node::says(one_node::refusal<average_pool_2d>(whole_image(256, 65281)), "may not fit 32 bits"));  // 16711936 elements
  CHECK(one_node::says(one_node::refusal<average_pool_2d>(whole_image(4095, 4097)), "may not fit 32 bits"));
}
