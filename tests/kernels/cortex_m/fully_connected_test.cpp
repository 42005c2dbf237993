// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers over packed streams: random ones, sums at the ends of their range, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/fully_connected.hpp>

#include <baton/kernels/portable/fully_connected.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"
#include "kernels/reference.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::cortex_m::options;
using one_layer::activation;
using one_layer::layer;
using one_layer::once;
using one_layer::op;
using one_node::drawn;
using kernel = baton::cortex_m::detail::fully_connected<>;
constexpr options small{.optimize = baton::cortex_m::optimize_for::code_size};

}  // namespace

TEST_CASE("random layers over packed streams match the reference") {
  int folded = 0;
  int real_biases = 0;
  int saturated = 0;
  int by_bytes = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    drawn draw(seed);
    const auto l = one_layer::random_dense_layer(draw, seed, 13);
    const auto with = random_weights(draw, l);
    const auto input = random_input(draw, l);
    CAPTURE(seed);
    CHECK(is_right<kernel>(l, with, input));
    if (seed % 3 == 0) CHECK(is_right<baton::cortex_m::detail::fully_connected<small>>(l, with, input));
    const auto program = build(l, with);
    const baton::program_view view(program);
    real_biases += l.has_real_bias ? 1 : 0;
    const auto described = kernel::describe(view, view.nodes[0]);
    folded += described.plan.scales_segment_sums;
    by_bytes += described.plan.reads_bytes;
    CHECK((described.facts.scratch_bytes == 0) == (described.plan.reads_bytes != 0));
    for (const char x : expected(l, with, input)) saturated += x == '\x7f' || x == '\x80' ? 1 : 0;
  }
  CHECK(real_biases > 50);
  CHECK(folded > 150);
  CHECK(folded < 450);
  CHECK(by_bytes > 60);
  CHECK(by_bytes < 540);
  CHECK(saturated > 200);
}

TEST_CASE("the largest sums of every form match the reference") {
  for (const int inputs : {256, 257, 340, 680, 4000, 16000}) {
    for (const char weight : {'\x7f', '\x81', '\x80'}) {
      for (const char x : {'\x7f', '\x80'}) {
        const layer l{.is = op::fully_connected,
                      .channels = inputs,
                      .out_channels = 5,
                      .has_bias = false,
                      .input_zero_point = x == '\x7f' ? -128 : 127};
        auto with = all_weights(l, weight);
        if (weight == '\x80') {
          for (std::size_t i = 1; i < with.filter.size(); i += 2) with.filter[i] = '\x7f';  // inputs are even
        }
        CAPTURE(inputs);
        CHECK(is_right<kernel>(l, with, one_node::bytes(static_cast<std::size_t>(inputs), x)));
      }
    }
  }
}

TEST_CASE("ties of negative sums are rounded away from zero") {
  // The factor is 2^-5: the output scale is 32, all other scales are 1.
  int ties = 0;
  for (const int zero_point : {-128, 0, 3}) {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(baton::dtype::int8, 1, 1));
    b.quantize(x, 1.0f, 0);
    const auto filter = b.parameter("filter", baton::tensor(baton::dtype::int8, 1, 1));
    b.at(filter).data = b.view(std::string_view("\x01", 1));
    b.quantize(filter, 1.0f, 0);
    const auto y = b.call("tfl.fully_connected", {x, filter}, baton::tensor(baton::dtype::int8, 1, 1));
    b.quantize(y, 32.0f, zero_point);
    b.output(y);
    const auto program = b.finish();
    for (int i = -128; i < 128; ++i) {
      const auto away = static_cast<int>(reference::requantize(i, reference::multiplier_of(1.0 / 32)));
      const auto wanted = std::max(-128, away + zero_point);
      ties += i < 0 && i % 32 == -16 ? 1 : 0;
      CHECK(one_node::run<kernel>(program, {static_cast<char>(i)}) == one_node::bytes{static_cast<char>(wanted)});
    }
  }
  CHECK(ties == 12);
}

TEST_CASE("a float32 bias close to ties of two outputs has the outputs of the portable kernel") {
  const layer by_thirds{.is = op::fully_connected, .channels = 8, .out_channels = 4};
  CHECK(one_layer::is_exact_by_thirds<baton::portable::fully_connected>(by_thirds, one_node::run<kernel>));
}

TEST_CASE("unsupported layers over packed streams are rejected") {
  layer l{.is = op::fully_connected, .channels = 8, .out_channels = 4};
  auto with = all_weights(l, '\1');
  const auto refusal = [&] { return one_node::refusal<kernel>(build(l, with)); };
  CHECK(refusal() == "");
  with.filter[11] = '\x80';
  CHECK(refusal() == "");
  with.filter[10] = '\xff';
  CHECK(refusal() == "a negative weight before a weight of -128 cannot be packed into 16 bits");
  with.filter[10] = '\0';
  with.bias[3] = '\x30';
  CHECK(one_node::says(refusal(), "may not fit 29 bits"));
  with.bias[3] = '\0';
  l.has_negative_scales = true;
  CHECK(one_node::says(refusal(), "only requantization factors from 0 to less than 1/2"));

  l.has_negative_scales = false;
  auto program = build(l, with);
  one_layer::set_filter_scale(program, 2, 0.49f * l.output_scale() / l.input_scale());
  CHECK(one_node::refusal<kernel>(program) == "");
  one_layer::set_filter_scale(program, 2, 0.51f * l.output_scale() / l.input_scale());
  CHECK(one_node::says(one_node::refusal<kernel>(program), "only requantization factors from 0 to less than 1/2"));
  one_layer::set_filter_scale(program, 2, 0.01f);
  one_layer::compute_filter(program);
  CHECK(one_node::says(one_node::refusal<kernel>(program), "the filter is not a constant"));
}

TEST_CASE("layers over packed streams obey the laws of kernels") {
  check_layer<kernel, layer{.is = op::fully_connected, .batch = 3, .channels = 12, .out_channels = 6}>();
  check_layer<kernel, layer{.is = op::fully_connected, .channels = 320, .out_channels = 1}>();
  check_layer<kernel, layer{.is = op::fully_connected, .batch = 3, .channels = 10, .out_channels = 6}>();
  check_layer<kernel, layer{.is = op::fully_connected,
                            .batch = 2,
                            .channels = 7,
                            .out_channels = 19,
                            .is_per_channel = false,
                            .fused = activation::relu6,
                            .input_zero_point = 20,
                            .zero_point = -128}>();
  check_layer<kernel, layer{.is = op::fully_connected, .channels = 345, .out_channels = 1}>();
  check_layer<kernel, layer{.is = op::fully_connected, .channels = 10, .out_channels = 5}>();  // chunks of two outputs, and of one
  check_layer<kernel, once(layer{.is = op::fully_connected,
                                 .batch = 3,
                                 .channels = 10,
                                 .out_channels = 6,
                                 .is_per_channel = false,
                                 .output_max = 100,
                                 .has_real_bias = true})>();
}
