// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions on int16: random ones against the portable kernel, the largest sums, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/int16_depthwise_conv_2d.hpp>

#include "kernels/random_int16_layer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

using baton::dtype;
using one_layer::int16_layer;
using one_layer::int16_numbers;
using one_layer::layer;
using one_layer::op;
using one_node::drawn;
using depthwise = baton::cortex_m::detail::int16_depthwise_conv_2d<>;
using portable = baton::portable::depthwise_conv_2d;

template <int16_layer L>
void check_laws() {
  one_layer::check_int16<depthwise, portable, L>();
}

/// True if the output is the same if it overlaps the input at the minimum distance, and at slightly larger ones.
template <class Program, std::int64_t... Farther>
auto tolerates_overlap(const baton::vector<char>& input) -> bool {
  const auto expected = one_layer::trial<depthwise, Program>{}.run(input);
  const auto is_equal_at = [&]<laws::kernel::nearness Near>() {
    return laws::kernel::trial<depthwise, Program, Near>{}.run(input) == expected;
  };
  return (is_equal_at.template operator()<laws::kernel::nearness{0, -Farther, 0}>() && ...) &&
         (is_equal_at.template operator()<laws::kernel::nearness{0, -Farther, 1}>() && ...);
}

}  // namespace

TEST_CASE("random depthwise convolutions on int16 match the portable kernel") {
  one_layer::check_random_int16<depthwise, portable>(op::depthwise_conv_2d, 780, [](int16_layer& l, drawn& draw) {
    l.shape.out_channels = l.shape.channels;
    return draw.of({3000, 30000, 2100000000});
  });
}

TEST_CASE("the largest sums of a depthwise convolution on int16 match the portable kernel") {
  for (const int width : {20, 127}) {
    int16_layer l{.shape = {.is = op::depthwise_conv_2d, .height = 4, .width = width, .channels = 5, .out_channels = 5}};
    l.shape.filter_height = 4;
    l.shape.filter_width = width;
    l.shape.is_same = false;
    l.output_scale = 3.0f;
    drawn draw(1);
    int16_numbers with(l, draw, 0);
    with.filter.assign(with.filter.size(), '\x80');
    with.input = one_node::bytes_of(std::vector<std::int16_t>(static_cast<std::size_t>(l.shape.in_count()), -32768));
    std::vector<std::int16_t> outputs;
    CHECK(is_equal<depthwise, portable>(l, with, outputs));
  }
}

TEST_CASE("unsupported depthwise convolutions on int16 are rejected") {
  int16_layer l{.shape = {.is = op::depthwise_conv_2d, .height = 4, .width = 128, .channels = 2, .out_channels = 2}};
  l.shape.filter_height = 4;
  l.shape.filter_width = 127;
  drawn draw(2);
  const auto refusal = [&] {
    const int16_numbers with(l, draw, 100);
    return one_node::refusal<depthwise>(build(l, with.filter, with.bias));
  };
  CHECK(refusal() == "");
  l.shape.filter_width = 128;
  CHECK(refusal() == "sums of 512 products of int16 may not fit 32 bits");
  l.shape.out_channels = 6;
  CHECK(refusal() == "the Cortex-M kernel for int16 supports one output channel for each input channel, not 3");
  const layer int8{.is = op::depthwise_conv_2d, .channels = 2, .out_channels = 2};
  const auto program = one_layer::build(int8, "\1\1", {"\0\0\0\0\0\0\0\0", 8});
  const auto support = baton::ask_kernel<depthwise>(program, program.nodes[0]).support;
  CHECK_FALSE(support.accepted);
  CHECK(support.reason.empty());  // another kernel has the reason
}

TEST_CASE("depthwise convolutions on int16 obey the laws of kernels") {
  constexpr layer image{
      .is = op::depthwise_conv_2d, .height = 6, .width = 5, .channels = 10, .out_channels = 10, .filter_height = 3, .filter_width = 3};
  check_laws<int16_layer{.shape = image}>();
  constexpr layer strided{.is = op::depthwise_conv_2d,
                          .batch = 2,
                          .height = 5,
                          .width = 7,
                          .channels = 7,
                          .out_channels = 7,
                          .filter_height = 2,
                          .filter_width = 3,
                          .stride_h = 2,
                          .stride_w = 2,
                          .dilation_w = 2,
                          .is_same = false};
  check_laws<int16_layer{.shape = strided}>();
  check_laws<int16_layer{.shape = image, .output_scale = 1e-6f}>();  // factors above 1/4 have no constants
}

TEST_CASE("a depthwise convolution on int16 may overlap its input at any distance from the minimum on") {
  constexpr int16_layer in_place{.shape = {.is = op::depthwise_conv_2d, .height = 2, .width = 3, .channels = 11, .out_channels = 11}};
  drawn draw(9);
  const auto random = draw.elements(dtype::int16, in_place.shape.in_count());
  CHECK(tolerates_overlap<baton::static_program<one_layer::make_int16<in_place>>, 0, 2, 4, 6, 8, 10>({random.begin(), random.end()}));
}
