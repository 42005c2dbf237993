// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions with 3 by 3 windows, pixel by pixel: random ones, the declared distances, rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/depthwise_conv_2d_by_taps.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"
#include "laws/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

using baton::write_order;
using one_layer::activation;
using one_layer::layer;
using one_layer::op;
using one_node::drawn;
using kernel = baton::cortex_m::detail::depthwise_conv_2d_by_taps<>;
using by_pairs = baton::cortex_m::detail::depthwise_conv_2d<>;
static_assert(std::is_same_v<by_pairs::forms, baton::kernel_list<kernel>>);

/// A random layer that `depthwise_conv_2d` computes in pairs of rows, or for which one property differs.
auto drawn_layer(drawn& draw) -> layer {
  layer l;
  l.is = op::depthwise_conv_2d;
  l.batch = draw.of({1, 1, 1, 2});
  l.channels = l.out_channels = draw.from_to(1, 13);
  l.height = draw.from_to(3, 9);
  l.width = draw.from_to(4, 9);
  l.filter_height = l.filter_width = 3;
  l.stride_h = l.stride_w = draw.of({1, 1, 2});
  l.has_bias = !draw.once_in(5);
  l.is_per_channel = !draw.once_in(4);
  l.fused = draw.once_in(9) ? activation::relu6 : activation::none;
  l.input_zero_point = draw.of({-3, 0, 20, -128, 127});
  l.zero_point = draw.of({-128, -128, 5, 127});
  l.is_same = draw.once_in(2);
  return l;
}

/// Computes a layer with overlapping memory: the input starts `between` bytes after the output.
auto compute_near(const baton::program_view& program, const one_node::bytes& input, std::size_t output_bytes, std::int64_t between,
                  write_order order) -> one_node::bytes {
  const auto& record = program.nodes[0];
  const auto described = kernel::describe(program, record);
  const auto stream = baton::prepare_node<kernel>(program, record);
  const auto before = static_cast<std::size_t>(std::max<std::int64_t>(0, -between));
  const auto end = std::max(output_bytes, static_cast<std::size_t>(std::max<std::int64_t>(0, between + std::int64_t(input.size()) + 3)));
  baton::vector<char> memory(before + end, '\x5a');
  auto* const to = memory.data() + before;
  std::copy(input.begin(), input.end(), to + between);
  baton::vector<char> scratch(described.facts.scratch_bytes, '\x33');
  const char* const inputs[] = {to + between, nullptr, nullptr};
  char* const outputs[] = {to};
  const baton::span<const char> prepared{static_cast<const char*>(static_cast<const void*>(stream.data())), 4 * stream.size()};
  kernel::compute(described.plan, {inputs, outputs, {scratch.data(), scratch.size()}, prepared, nullptr, order});
  return {to, to + output_bytes};
}

}  // namespace

TEST_CASE("random layers by taps match the reference in both orders, at the declared distances, with less scratch") {
  int refused = 0;
  int nearer_count = 0;
  int less_scratch = 0;
  int overwritten = 0;
  int tested = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    drawn draw(seed);
    const auto l = drawn_layer(draw);
    const auto with = random_weights(draw, l);
    const auto program = build(l, with);
    const baton::program_view view(program);
    const auto pairs = by_pairs::describe(view, view.nodes[0]);
    const auto described = kernel::describe(view, view.nodes[0]);
    const bool is_by_pairs = pairs.support && pairs.plan.algorithm == baton::cortex_m::detail::depthwise_algorithm::pairs;
    CHECK(described.support.accepted == is_by_pairs);
    if (!described.support) {
      ++refused;
      continue;
    }
    const auto input = random_input(draw, l);
    const auto reference = one_layer::expected(l, with, input);
    const auto& distance = described.facts.operands[0].distance;
    const auto of_pairs = pairs.facts.operands[0].distance;
    CHECK(distance.ascending <= of_pairs.ascending);
    nearer_count += distance.ascending < of_pairs.ascending ? 1 : 0;
    less_scratch += described.facts.scratch_bytes < pairs.facts.scratch_bytes ? 1 : 0;
    const auto size = reference.size();
    const auto both = static_cast<std::int64_t>(size) - static_cast<std::int64_t>(input.size());
    const auto is_right = [&](std::int64_t between, write_order order) {
      const auto output = compute_near(view, input, size, between, order);
      return std::equal(output.begin(), output.end(), reference.begin(), reference.end());
    };
    CHECK(is_right(static_cast<std::int64_t>(size), write_order::ascending));
    CHECK(is_right(distance.ascending, write_order::ascending));
    CHECK(is_right(both - distance.descending, write_order::descending));
    if (distance.ascending >= static_cast<std::int64_t>(size)) continue;
    ++tested;
    overwritten += is_right(distance.ascending - 1 - l.channels, write_order::ascending) ? 0 : 1;
  }
  CHECK(refused > 20);
  CHECK(refused < 200);
  CHECK(nearer_count > 150);
  CHECK(less_scratch > 40);
  CHECK(tested > 150);
  CHECK(overwritten > tested / 2);
}

TEST_CASE("layers that are already computed by taps are rejected") {
  layer l{.is = op::depthwise_conv_2d, .height = 5, .width = 5, .channels = 4, .out_channels = 4, .filter_height = 2, .filter_width = 3};
  CHECK(one_node::refusal<kernel>(build(l, all_weights(l, '\1'))) == "depthwise_conv_2d already computes this layer by taps");
  l.out_channels = 8;
  CHECK(one_node::refusal<kernel>(build(l, all_weights(l, '\1'))) ==
        "the Cortex-M kernel supports only one output channel per input channel");
}

TEST_CASE("layers by taps obey the laws of kernels") {
  check_layer<
      kernel,
      layer{
          .is = op::depthwise_conv_2d, .height = 7, .width = 5, .channels = 6, .out_channels = 6, .filter_height = 3, .filter_width = 3}>();
  check_layer<kernel, layer{.is = op::depthwise_conv_2d,
                            .batch = 2,
                            .height = 5,
                            .width = 8,
                            .channels = 3,
                            .out_channels = 3,
                            .filter_height = 3,
                            .filter_width = 3,
                            .stride_h = 2,
                            .stride_w = 2,
                            .fused = activation::relu,
                            .zero_point = -128}>();
  check_layer<kernel, layer{.is = op::depthwise_conv_2d,
                            .height = 6,
                            .width = 6,
                            .channels = 9,
                            .out_channels = 9,
                            .filter_height = 3,
                            .filter_width = 3,
                            .is_same = false}>();
}
