// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers whose blocks read the inputs as bytes: random ones, the largest sums, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/fully_connected_from_bytes.hpp>
#include <baton/kernels/cortex_m/fully_connected.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"
#include "kernels/reference.hpp"
#include "laws/kernel.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

using baton::cortex_m::options;
using one_layer::activation;
using one_layer::layer;
using one_layer::once;
using one_layer::op;
using one_node::drawn;
using kernel = baton::cortex_m::detail::fully_connected_from_bytes<>;
using whole = baton::cortex_m::detail::fully_connected<>;
constexpr options small{.optimize = baton::cortex_m::optimize_for::code_size};
static_assert(std::is_same_v<whole::forms, baton::kernel_list<kernel>>);

}  // namespace

TEST_CASE("random layers that read bytes match the reference without scratch, even if the whole layer needs scratch") {
  int folded = 0;
  int refused = 0;
  int overreads = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    drawn draw(seed);
    const auto l = one_layer::random_dense_layer(draw, seed, 19);
    const auto with = random_weights(draw, l);
    const auto input = random_input(draw, l);
    CAPTURE(seed);
    const auto program = build(l, with);
    const baton::program_view view(program);
    const auto all = whole::describe(view, view.nodes[0]);
    const auto described = kernel::describe(view, view.nodes[0]);
    CHECK(described.support.accepted == (all.support && all.facts.scratch_bytes != 0));
    if (!described.support) {
      ++refused;
      continue;
    }
    CHECK(described.facts.scratch_bytes == 0);
    CHECK(is_right<kernel>(l, with, input));
    if (seed % 3 == 0) CHECK(is_right<baton::cortex_m::detail::fully_connected_from_bytes<small>>(l, with, input));
    folded += described.plan.scales_segment_sums;
    overreads += described.facts.overread_bytes != 0 ? 1 : 0;
  }
  CHECK(folded > 100);
  CHECK(refused > 20);
  CHECK(refused < 300);
  CHECK(overreads > 100);
}

TEST_CASE("the largest sums of layers that read bytes match the reference") {
  for (const int inputs : {256, 257, 340, 680, 4000}) {
    for (const char weight : {'\x7f', '\x81'}) {
      for (const char x : {'\x7f', '\x80'}) {
        const layer l{.is = op::fully_connected,
                      .channels = inputs,
                      .out_channels = 13,
                      .has_bias = false,
                      .input_zero_point = x == '\x7f' ? -128 : 127};
        CAPTURE(inputs);
        CHECK(is_right<kernel>(l, all_weights(l, weight), one_node::bytes(static_cast<std::size_t>(inputs), x)));
      }
    }
  }
}

TEST_CASE("layers that read bytes are rejected if the whole layer is rejected, or needs no scratch") {
  layer l{.is = op::fully_connected, .channels = 8, .out_channels = 5};
  auto with = all_weights(l, '\1');
  CHECK(one_node::refusal<kernel>(build(l, with)) == "");
  with.filter[11] = '\x80';
  with.filter[10] = '\xff';
  CHECK(one_node::refusal<kernel>(build(l, with)) == "a negative weight before a weight of -128 cannot be packed into 16 bits");
  l.out_channels = 4;
  CHECK(one_node::refusal<kernel>(build(l, all_weights(l, '\1'))) == "fully_connected already computes this layer without scratch");
}

TEST_CASE("layers that read bytes obey the laws of kernels") {
  check_layer<kernel, layer{.is = op::fully_connected, .batch = 3, .channels = 12, .out_channels = 6}>();
  check_layer<kernel, layer{.is = op::fully_connected, .batch = 3, .channels = 10, .out_channels = 16}>();
  check_layer<kernel, layer{.is = op::fully_connected,
                            .batch = 2,
                            .channels = 7,
                            .out_channels = 19,
                            .is_per_channel = false,
                            .fused = activation::relu6,
                            .input_zero_point = 20,
                            .zero_point = -128}>();
  check_layer<kernel, layer{.is = op::fully_connected, .channels = 45, .out_channels = 9}>();
  check_layer<kernel, layer{.is = op::fully_connected, .channels = 10, .out_channels = 5}>();  // chunks of two outputs, and of one
  check_layer<kernel, once(layer{.is = op::fully_connected,
                                 .batch = 3,
                                 .channels = 10,
                                 .out_channels = 6,
                                 .is_per_channel = false,
                                 .output_max = 100,
                                 .has_real_bias = true})>();
}

TEST_CASE("an output that is closer to the inputs than the declared distance overwrites them") {
  // Three blocks of four outputs, and one output: 12 bytes are written before the last output is computed.
  constexpr layer l{.is = op::fully_connected, .channels = 40, .out_channels = 13};
  using program = baton::static_program<one_layer::make_symmetric<l>>;
  constexpr auto facts = baton::ask_kernel<kernel>(program::value(), program::value().nodes[0]).facts;
  static_assert(facts.operands[0].distance == baton::min_distance{.ascending = 12});
  check_exact_distance<kernel, program, l>();
}
