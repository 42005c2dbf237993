// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Convolutions and fully connected layers on int16: random ones against the portable kernels, the largest sums, rejected nodes, and the
// laws of kernels.
#include <baton/kernels/cortex_m/int16_layers.hpp>

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
using convolution = baton::cortex_m::detail::int16_conv_2d<>;
using dense = baton::cortex_m::detail::int16_fully_connected<>;

template <int16_layer L>
void check_int16() {
  if constexpr (L.shape.is == op::conv_2d) {
    one_layer::check_int16<convolution, baton::portable::conv_2d, L>();
  } else {
    one_layer::check_int16<dense, baton::portable::fully_connected, L>();
  }
}

}  // namespace

TEST_CASE("random convolutions on int16 match the portable kernel") {
  one_layer::check_random_int16<convolution, baton::portable::conv_2d>(
      op::conv_2d, 700, [](int16_layer&, drawn& draw) { return draw.of({3000, 30000, 1 << 30}); });
}
TEST_CASE("random fully connected layers on int16 match the portable kernel") {
  one_layer::check_random_int16<dense, baton::portable::fully_connected>(op::fully_connected, 700, [](int16_layer& l, drawn& draw) {
    l.shape.channels = draw.of({1, 3, 4, 10, 64, 127, 508, 509, 1020, 1300});
    l.shape.out_channels = draw.from_to(1, 9);
    l.zero_point = draw.of({0, 0, 0, -300, 32767});
    return draw.of({3000, 30000, 1 << 30});
  });
}

TEST_CASE("the largest sums of every form match the portable kernel") {
  for (const auto bias : {dtype::int64, dtype::int32}) {
    for (const int inputs : {126, 127, 128, 500, 511, 512, 2000}) {
      for (const std::int64_t add : {std::int64_t{0}, std::int64_t{8388607}, std::int64_t{1} << 30}) {
        int16_layer l{.shape = {.is = op::fully_connected, .channels = inputs, .out_channels = 3, .is_per_channel = false}};
        l.bias = bias;
        l.output_scale = 3.0f;
        drawn draw(1);
        int16_numbers with(l, draw, 0);
        with.filter.assign(with.filter.size(), '\x80');
        with.input = one_node::bytes_of(std::vector<std::int16_t>(static_cast<std::size_t>(inputs), -32768));
        for (int i = 0; i < 3; ++i) put_int16_layer_bias(l, with.bias.data() + l.bias_bytes() * i, add);
        std::vector<std::int16_t> outputs;
        CAPTURE(inputs);
        CAPTURE(add);
        CHECK(is_equal<dense, baton::portable::fully_connected>(l, with, outputs));
        const auto magnitude = inputs * (std::int64_t{1} << 22) + add;
        CHECK(one_layer::has_constants<dense>(l, with) == (magnitude < std::int64_t{1} << (bias == dtype::int32 ? 29 : 31)));
      }
    }
  }
}

TEST_CASE("unsupported layers on int16 are rejected") {
  int16_layer l{.shape = {.is = op::fully_connected, .channels = 8, .out_channels = 4}};
  drawn draw(2);
  const int16_numbers with(l, draw, 100);
  const auto refusal = [&] { return one_node::refusal<dense>(build(l, with.filter, with.bias)); };
  CHECK(refusal() == "");
  l.input_zero_point = 3;
  CHECK(refusal() == "the Cortex-M kernel requires int16 inputs with zero point 0, not 3");
}

TEST_CASE("layers on int8 and without operands are rejected without a reason, because other kernels have one") {
  const layer int8{.is = op::fully_connected, .channels = 1, .out_channels = 1};
  auto program = one_layer::build(int8, "\1", {"\0\0\0\0", 4});
  const auto is_refused_silently = [&] {
    const auto support = baton::ask_kernel<dense>(program, program.nodes[0]).support;
    return !support.accepted && support.reason.empty();
  };
  CHECK(is_refused_silently());
  program.nodes[0].inputs.size = 0;
  CHECK(is_refused_silently());
}

TEST_CASE("layers on int16 obey the laws of kernels") {
  constexpr layer image{.batch = 1,
                        .height = 6,
                        .width = 5,
                        .channels = 6,
                        .out_channels = 9,
                        .filter_height = 3,
                        .filter_width = 2,
                        .stride_h = 2,
                        .input_zero_point = 0,
                        .zero_point = 0};
  check_int16<int16_layer{.shape = image}>();
  check_int16<int16_layer{.shape = image, .bias = dtype::int32}>();
  constexpr layer in_groups{.batch = 2,
                            .height = 4,
                            .width = 5,
                            .channels = 6,
                            .out_channels = 4,
                            .filter_height = 2,
                            .filter_width = 2,
                            .dilation_w = 2,
                            .groups = 2};
  check_int16<int16_layer{.shape = in_groups}>();
  check_int16<int16_layer{.shape = {.height = 3, .width = 3, .channels = 8, .out_channels = 5}}>();
  check_int16<int16_layer{.shape = {.is = op::fully_connected, .batch = 3, .channels = 12, .out_channels = 6}}>();
  check_int16<int16_layer{.shape = {.is = op::fully_connected, .batch = 2, .channels = 600, .out_channels = 3}}>();
}
