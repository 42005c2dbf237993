// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Winograd convolutions: random layers, the largest sums, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/winograd_conv_2d.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

namespace {

using baton::cortex_m::options;
using one_layer::activation;
using one_layer::layer;
using one_layer::once;
using one_node::drawn;
constexpr options roomy{.max_winograd_bytes = 1 << 20};
using kernel = baton::cortex_m::detail::winograd_conv_2d<roomy>;

auto three_by_three(int in_channels, int out_channels) -> layer {
  layer l;
  l.channels = in_channels;
  l.out_channels = out_channels;
  l.filter_height = l.filter_width = 3;
  return l;
}

auto random_layer(drawn& draw) -> layer {
  auto l = three_by_three(draw.of({8, 12, 16, 20, 32, 64}), draw.of({8, 10, 16}));
  l.batch = draw.of({1, 1, 2});
  l.height = draw.from_to(1, 9);
  l.width = draw.from_to(1, 9);
  l.is_same = l.height < 3 || l.width < 3 || draw.once_in(2);
  l.has_bias = !draw.once_in(4);
  l.is_per_channel = draw.once_in(2);
  l.fused = draw.of({activation::none, activation::none, activation::relu, activation::relu6});
  l.input_zero_point = draw.of({-3, 0, 20, -128, 127});
  l.zero_point = draw.of({5, 0, -128, -128, 127});
  return draw.once_in(2) ? one_layer::as_baton_with_real_bias(l, draw, draw.once_in(8)) : l;
}

}  // namespace

TEST_CASE("random layers by tiles match the reference") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    drawn draw(seed);
    const auto l = random_layer(draw);
    auto with = random_weights(draw, l);
    if (draw.once_in(2)) std::replace(with.filter.begin(), with.filter.end(), '\x81', '\x80');
    const auto input = random_input(draw, l);
    CAPTURE(seed);
    CHECK(is_right<kernel>(l, with, input));
  }
}

TEST_CASE("the largest sums by tiles match the reference") {
  auto l = three_by_three(64, 8);
  l.height = l.width = 4;
  l.has_bias = false;
  for (const char weight : {'\x7f', '\x80'}) {
    for (const char x : {'\x7f', '\x80'}) {
      l.input_zero_point = x == '\x7f' ? -128 : 127;
      CHECK(is_right<kernel>(l, all_weights(l, weight), one_node::bytes(static_cast<std::size_t>(l.in_count()), x)));
    }
  }
  // Inputs and weights alternate between the ends of their range, so that the subtractions of the transforms add up.
  one_layer::weights with;
  for (int i = 0; i < l.filter_count(); ++i) with.filter.push_back(i / 64 % 9 % 2 == 0 ? '\x80' : '\x7f');
  one_node::bytes input(static_cast<std::size_t>(l.in_count()));
  for (int i = 0; i < l.in_count(); ++i) input[static_cast<std::size_t>(i)] = (i / 64 % 4 + i / 256) % 2 == 0 ? '\x80' : '\x7f';
  CHECK(is_right<kernel>(l, with, input));
}

TEST_CASE("a float32 bias close to ties of two outputs has the outputs of the portable kernel") {
  auto by_thirds = three_by_three(8, 8);
  by_thirds.height = by_thirds.width = 5;
  CHECK(one_layer::is_exact_by_thirds<baton::portable::conv_2d>(by_thirds, one_node::run<kernel>));
}

TEST_CASE("layers that other convolutions compute are rejected") {
  const auto refusal = [](const layer& l, auto kernel) { return one_node::refusal<decltype(kernel)>(build(l, all_weights(l, '\1'))); };
  auto l = three_by_three(32, 32);
  l.height = l.width = 8;
  CHECK(refusal(l, baton::cortex_m::detail::winograd_conv_2d<>{}) == "");
  l.out_channels = 36;
  CHECK(refusal(l, baton::cortex_m::detail::winograd_conv_2d<>{}) == "Winograd weights need 26496 more bytes; the limit is 24576");
  CHECK(refusal(l, kernel{}) == "");
  CHECK(refusal(l, baton::cortex_m::detail::winograd_conv_2d<options{.optimize = baton::cortex_m::optimize_for::code_size}>{}) ==
        "the Winograd kernel is disabled by optimize_for::code_size");
  // The additional bytes are those beyond the widened weights that other convolutions would store.
  auto smallest = three_by_three(8, 8);
  CHECK(refusal(smallest, baton::cortex_m::detail::winograd_conv_2d<options{.max_winograd_bytes = 896}>{}) == "");
  CHECK(refusal(smallest, baton::cortex_m::detail::winograd_conv_2d<options{.max_winograd_bytes = 895}>{}) ==
        "Winograd weights need 896 more bytes; the limit is 895");
  const auto with = all_weights(smallest, '\1');
  auto program = build(smallest, with);
  one_layer::set_filter_scale(program, 1, 0.49f * smallest.output_scale() / smallest.input_scale());
  CHECK(one_node::refusal<kernel>(program) == "");
  one_layer::set_filter_scale(program, 1, 0.51f * smallest.output_scale() / smallest.input_scale());
  CHECK(one_node::says(one_node::refusal<kernel>(program), "does not support the requantization factor or the sums of channel 1"));
  one_layer::set_filter_scale(program, 1, 0.01f);
  one_layer::compute_filter(program);
  CHECK(one_node::says(one_node::refusal<kernel>(program), "the filter is not a constant"));
  l.stride_w = 2;
  CHECK(refusal(l, kernel{}) == "the Winograd kernel supports only 3 x 3 filters with stride 1, without dilation and groups");
  l.stride_w = 1;
  l.filter_width = 1;
  CHECK(refusal(l, kernel{}) == "the Winograd kernel supports only 3 x 3 filters with stride 1, without dilation and groups");
  l.filter_width = 3;
  l.out_channels = 9;
  CHECK(refusal(l, kernel{}) == "the Winograd kernel supports 8 to 4094 output channels, in multiples of 2, not 9");
  l.out_channels = 8;
  l.channels = 10;
  CHECK(one_node::says(refusal(l, kernel{}), "8 to 64 input channels, in multiples of 4, not 10"));
  l.channels = 68;
  CHECK(one_node::says(refusal(l, kernel{}), "8 to 64 input channels, in multiples of 4, not 68"));
  l.channels = 8;
  l.has_negative_scales = true;
  CHECK(one_node::says(refusal(l, kernel{}), "does not support the requantization factor"));
}

TEST_CASE("Winograd convolutions obey the laws of kernels") {
  // A row has three tiles, which are computed in pairs, so the last one is alone. Only the computed rows of a tile may be written.
  check_layer<kernel, layer{.height = 7, .width = 5, .channels = 8, .out_channels = 24, .filter_height = 3, .filter_width = 3}>();
  check_layer<kernel,
              layer{.batch = 2, .height = 6, .width = 5, .channels = 8, .out_channels = 8, .filter_height = 3, .filter_width = 3}>();
  check_layer<kernel, layer{.height = 8,
                            .width = 8,
                            .channels = 12,
                            .out_channels = 10,
                            .filter_height = 3,
                            .filter_width = 3,
                            .is_same = false,
                            .fused = activation::relu6,
                            .zero_point = -128}>();
  check_layer<
      kernel,
      once(layer{.height = 5, .width = 6, .channels = 8, .out_channels = 10, .filter_height = 3, .filter_width = 3, .has_real_bias = true},
           2, 0, 1, 2)>();
}
