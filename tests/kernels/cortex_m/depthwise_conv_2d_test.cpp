// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution for Cortex-M: the streams and packed words of the target, computed by plain arithmetic on the development machine.
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>

#include "kernels/check_layer.hpp"
#include "kernels/random_layer.hpp"
#include "kernels/random_weights.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

namespace detail = baton::cortex_m::detail;
using baton::write_order;
using one_layer::activation;
using one_layer::layer;
using one_layer::op;
using kernel = baton::cortex_m::detail::depthwise_conv_2d<>;
using shared_kernel =
    baton::cortex_m::detail::depthwise_conv_2d<baton::cortex_m::options{.optimize = baton::cortex_m::optimize_for::code_size}>;

constexpr auto depthwise(layer l) -> layer {
  l.is = op::depthwise_conv_2d;
  return l;
}

auto random_bytes(std::size_t count, std::uint32_t seed) -> baton::vector<char> {
  baton::vector<char> result(count, '\0');
  for (auto& byte : result) byte = static_cast<char>(one_layer::next_random(seed) >> 24);
  return result;
}

/// A node that is built at run time, and its constants.
struct node_at_run_time {
  baton::vector<char> filter;
  baton::vector<char> bias;
  baton::exported_program program;

  node_at_run_time(const layer& l, std::uint32_t seed, std::int32_t bias_limit)
      : filter(random_bytes(static_cast<std::size_t>(l.bytes_of(l.filter_count())), seed)) {
    auto state = seed + 1;
    bias.assign(static_cast<std::size_t>(4 * l.out_channels), '\0');
    for (int c = 0; c < l.out_channels; ++c) {
      const auto number = static_cast<std::int32_t>(one_layer::next_random(state)) % bias_limit;
      one_layer::put_bias(l, bias.data() + 4 * c, number);
    }
    program = one_layer::build(l, {filter.data(), filter.size()}, {bias.data(), bias.size()});
  }
  /// Multiplies the scale of every channel by a random power of two.
  void spread_scales(std::uint32_t seed) {
    const auto scales = program.values[1].quant.scales;
    for (std::uint32_t at = scales.first; at < scales.first + scales.size; at += 4) {
      auto* to = program.bytes.data() + at;
      const auto factor = static_cast<float>(1u << (one_layer::next_random(seed) >> 8) % 18) / 65536.0f;
      const auto scale = std::bit_cast<float>(baton::quantized::little_endian_32(to));
      one_layer::put_32(to, std::bit_cast<std::uint32_t>(scale * factor));
    }
  }
  auto view() const -> baton::program_view { return program; }
  auto record() const -> const baton::node& { return view().nodes[0]; }
};

/// The routines that layers with the walk of a plan share.
auto shared_pair_functions(const detail::depthwise_plan& plan) -> detail::pair_functions {
  const auto is = [walk = detail::pair_walk_of(plan)](const detail::pair_walk& other) {
    return walk.stride == other.stride && walk.corrects_ties == other.corrects_ties && walk.begins_odd == other.begins_odd;
  };
  const auto find = [&]<detail::pair_walk... Walks>() {
    detail::pair_functions result{};
    static_cast<void>(((is(Walks) && (result = detail::shared_pair_functions<Walks>(), true)) || ...));
    return result;
  };
  constexpr auto shared = [](std::int32_t stride, bool corrects_ties, bool begins_odd) {
    return detail::pair_walk{.stride = stride, .corrects_ties = corrects_ties, .begins_odd = begins_odd}.shared();
  };
  return find.template operator()<shared(1, false, false), shared(1, true, false), shared(2, false, false), shared(2, false, true),
                                  shared(2, true, false), shared(2, true, true)>();
}

/// Computes rows by the algorithm of the plan.
template <bool IsByRows = false>
void compute(const detail::depthwise_plan& plan, const detail::depthwise_memory& at, std::int32_t first, std::int32_t last,
             write_order order) {
  if (plan.algorithm == detail::depthwise_algorithm::taps) {
    detail::compute_taps(plan, at, first, last, order);
  } else {
    detail::compute_pairs<IsByRows>(plan, at, shared_pair_functions(plan), first, last, order);
  }
}

/// Computes rows `first` to `last` and leaves the others untouched. The scratch starts at an odd address. Nothing is written after it.
template <bool IsByRows = false>
auto run(const node_at_run_time& node, const detail::depthwise_plan& plan, const baton::vector<char>& input, std::int32_t first,
         std::int32_t last, write_order order) -> baton::vector<char> {
  const auto stream = baton::prepare_node<kernel>(node.view(), node.record());
  baton::vector<char> readable(input.begin(), input.end());
  const auto facts = baton::ask_kernel<kernel>(node.view(), node.record()).facts;
  readable.insert(readable.end(), facts.overread_bytes, '\x5a');
  const auto scratch_bytes = IsByRows ? facts.row_scratch_bytes() : facts.scratch_bytes;
  baton::vector<char> scratch(scratch_bytes + 9, '\x5a');
  baton::vector<char> output(static_cast<std::size_t>(plan.output_rows() * plan.out_row_bytes()), '\x5a');
  const detail::depthwise_memory at{reinterpret_cast<const std::int8_t*>(readable.data()), stream.data(),
                                    reinterpret_cast<std::int8_t*>(output.data()), scratch.data() + 1};
  compute<IsByRows>(plan, at, first, last, order);
  CHECK(std::all_of(scratch.end() - 8, scratch.end(), [](char each) { return each == '\x5a'; }));
  return output;
}

/// Computes all rows with overlapping memory: the input starts `between` bytes after the output.
auto run_near(const node_at_run_time& node, const detail::depthwise_plan& plan, const baton::vector<char>& input, std::int64_t between,
              write_order order) -> baton::vector<char> {
  const auto stream = baton::prepare_node<kernel>(node.view(), node.record());
  const auto bytes = static_cast<std::int64_t>(plan.output_rows() * plan.out_row_bytes());
  const auto before = std::max<std::int64_t>(0, -between);
  const auto end = std::max(bytes, between + static_cast<std::int64_t>(input.size()) + 3);
  baton::vector<char> memory(static_cast<std::size_t>(before + end), '\x5a');
  auto* const to = memory.data() + before;
  std::copy(input.begin(), input.end(), to + between);
  baton::vector<char> scratch(baton::ask_kernel<kernel>(node.view(), node.record()).facts.scratch_bytes, '\x5a');
  const detail::depthwise_memory at{reinterpret_cast<const std::int8_t*>(to + between), stream.data(), reinterpret_cast<std::int8_t*>(to),
                                    scratch.data()};
  compute(plan, at, 0, plan.output_rows(), order);
  return {to, to + bytes};
}

/// Returns a random layer: mostly 3 by 3 windows, in all phases of rows, columns and channels.
auto drawn_layer(std::uint32_t seed) -> layer {
  one_layer::drawn draw(seed);
  layer l;
  l.is = op::depthwise_conv_2d;
  l.batch = draw.of({1, 1, 1, 2});
  l.channels = draw.from_to(1, 13);
  l.out_channels = l.channels;
  l.height = draw.from_to(1, 9);
  l.width = draw.from_to(1, 9);
  const bool is_usual = !draw.once_in(3);
  l.filter_height = is_usual ? 3 : draw.of({1, 2, 3, 4, 5, 7});
  l.filter_width = is_usual ? 3 : draw.of({1, 1, 2, 3, 5});
  l.stride_h = draw.of({1, 1, 2});
  l.stride_w = is_usual ? l.stride_h : draw.of({1, 2, 3});
  if (!is_usual && draw.once_in(3)) l.dilation_h = 2;
  if (!is_usual && draw.once_in(3)) l.dilation_w = 2;
  l.has_bias = !draw.once_in(5);
  l.is_per_channel = !draw.once_in(4);
  l.fused = draw.of({activation::none, activation::none, activation::relu, activation::relu, activation::relu6, activation::relu_n1_to_1});
  l.input_zero_point = draw.of({-3, 0, 20, -128, 127});
  l.zero_point = draw.of({-128, -128, 5, 127});
  const bool fits = (l.filter_height - 1) * l.dilation_h < l.height && (l.filter_width - 1) * l.dilation_w < l.width;
  l.is_same = !fits || draw.once_in(2);
  return draw.once_in(2) ? one_layer::as_baton_with_real_bias(l, draw) : l;
}

}  // namespace

TEST_CASE("random depthwise convolutions match the reference, by rows and in both orders") {
  int algorithms[2] = {};
  int real_biases = 0;
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    const auto l = drawn_layer(seed);
    const node_at_run_time node(l, seed, seed % 7 == 0 ? 400000 : 5000);
    REQUIRE(baton::ask_kernel<kernel>(node.view(), node.record()).support.accepted);
    const auto plan = detail::facts_of(node.view(), node.record()).plan;
    real_biases += l.has_real_bias ? 1 : 0;
    ++algorithms[static_cast<int>(plan.algorithm)];
    for (const auto& input : one_layer::inputs_of(l)) {
      const auto expected = reference::compute(l, input, node.filter, node.bias);
      CHECK(run(node, plan, input, 0, plan.output_rows(), write_order::ascending) == expected);
      CHECK(run(node, plan, input, 0, plan.output_rows(), write_order::descending) == expected);
      for (std::int32_t row = 0; row < plan.output_rows(); ++row) {
        baton::vector<char> one(expected.size(), '\x5a');
        std::copy_n(expected.begin() + row * plan.out_row_bytes(), plan.out_row_bytes(), one.begin() + row * plan.out_row_bytes());
        CHECK(run(node, plan, input, row, row + 1, write_order::ascending) == one);
        CHECK(run<true>(node, plan, input, row, row + 1, write_order::ascending) == one);
      }
    }
  }
  CHECK(real_biases > 100);
  CHECK(algorithms[0] > 200);
  CHECK(algorithms[1] > 200);
}

TEST_CASE("scratch of 3 by 3 windows has a row of zero points only if rows in the padding are read as a whole") {
  int with_row = 0;
  int without_row = 0;
  for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    const node_at_run_time node(drawn_layer(seed), seed, 5000);
    const auto plan = detail::facts_of(node.view(), node.record()).plan;
    if (plan.algorithm != detail::depthwise_algorithm::pairs) continue;
    const auto facts = baton::ask_kernel<kernel>(node.view(), node.record()).facts;
    const auto packed = static_cast<std::uint32_t>(4 * plan.packed_words()) + 4;
    CHECK(facts.row_scratch_bytes() == packed);
    const bool has_row = plan.rows.has_padding();
    CHECK(facts.scratch_bytes == packed + (has_row ? static_cast<std::uint32_t>(detail::padding_row_bytes(plan)) : 0u));
    with_row += has_row ? 1 : 0;
    without_row += has_row ? 0 : 1;
  }
  CHECK(with_row > 20);
  CHECK(without_row > 20);
}

TEST_CASE("an output at the declared distance overwrites nothing too early; one much closer usually does") {
  int overwritten = 0;
  int tested = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const auto l = drawn_layer(seed);
    const node_at_run_time node(l, seed, 5000);
    const auto plan = detail::facts_of(node.view(), node.record()).plan;
    const auto input = random_bytes(static_cast<std::size_t>(l.in_count()), seed);
    const auto expected = reference::compute(l, input, node.filter, node.bias);
    const auto distance = baton::ask_kernel<kernel>(node.view(), node.record()).facts.operands[0].distance;
    const auto both = static_cast<std::int64_t>(expected.size()) - static_cast<std::int64_t>(input.size());
    CHECK(run_near(node, plan, input, distance.ascending, write_order::ascending) == expected);
    CHECK(run_near(node, plan, input, both - distance.descending, write_order::descending) == expected);
    if (plan.rows.output < 3 || plan.output_rows() * plan.out_row_bytes() < 40) continue;
    tested += 2;
    const auto by = std::int64_t{3} * plan.out_row_bytes();
    overwritten += run_near(node, plan, input, distance.ascending - by, write_order::ascending) != expected ? 1 : 0;
    overwritten += run_near(node, plan, input, both - distance.descending + by, write_order::descending) != expected ? 1 : 0;
  }
  CHECK(tested > 200);
  CHECK(overwritten * 10 > tested * 7);
}

TEST_CASE("channels with very different scales match the portable kernel") {
  int supported = 0;
  int other_shifts = 0;
  int constants = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    auto l = drawn_layer(seed + 10000);
    l.has_factors = false;
    node_at_run_time node(l, seed, 5000);
    node.spread_scales(seed);
    if (!baton::ask_kernel<kernel>(node.view(), node.record()).support) continue;
    ++supported;
    const auto plan = detail::facts_of(node.view(), node.record()).plan;
    other_shifts += plan.has_other_shifts;
    const detail::depthwise_channels all(node.view(), node.record(), plan);
    for (std::int32_t c = 0; c < plan.channels; ++c) constants += all.channel_with_scale(c, plan).constant != detail::varies ? 1 : 0;
    const auto portable = baton::portable::depthwise_conv_2d::describe(node.view(), node.record()).plan;
    for (const auto& input : one_layer::inputs_of(l)) {
      baton::vector<char> expected(static_cast<std::size_t>(plan.output_rows() * plan.out_row_bytes()), '\0');
      const char* const inputs[] = {input.data(), node.filter.data(), node.bias.data()};
      char* const outputs[] = {expected.data()};
      baton::portable::depthwise_conv_2d::compute(portable, {inputs, outputs});
      CHECK(run(node, plan, input, 0, plan.output_rows(), write_order::ascending) == expected);
    }
  }
  CHECK(supported > 250);
  CHECK(other_shifts > 25);
  CHECK(constants > 20);
}

TEST_CASE("a float32 bias close to ties of two outputs has the outputs of the portable kernel") {
  for (const int filter_height : {3, 2}) {
    const layer l{.is = op::depthwise_conv_2d,
                  .height = 5,
                  .width = 5,
                  .channels = 4,
                  .out_channels = 4,
                  .filter_height = filter_height,
                  .filter_width = 3};
    node_at_run_time node(l, 1, 5000);
    const auto compute = [&](const baton::exported_program& program, const one_node::bytes& input) {
      node.program = program;
      const auto plan = detail::facts_of(node.view(), node.record()).plan;
      CHECK((plan.algorithm == detail::depthwise_algorithm::pairs) == (filter_height == 3));
      const auto output = run(node, plan, baton::vector<char>(input.begin(), input.end()), 0, plan.output_rows(), write_order::ascending);
      return one_node::bytes(output.begin(), output.end());
    };
    CHECK(one_layer::is_exact_by_thirds<baton::portable::depthwise_conv_2d>(l, compute));
  }
}

TEST_CASE("sums that are not proved to fit are rejected with the channel") {
  layer l{.is = op::depthwise_conv_2d, .height = 5, .width = 5, .channels = 4, .out_channels = 4, .filter_height = 3, .filter_width = 3};
  const auto reason_of = [](const node_at_run_time& node) {
    const auto support = baton::ask_kernel<kernel>(node.view(), node.record()).support;
    CHECK(!support.accepted);
    return std::string(baton::view(support.reason));
  };
  node_at_run_time large(l, 1, 5000);
  one_layer::set_filter_scale(large.program, 2, 1e6f);
  CHECK(reason_of(large).find("channel 2") != std::string::npos);
  node_at_run_time computed(l, 1, 5000);
  one_layer::compute_filter(computed.program);
  CHECK(reason_of(computed).find("weights are not a constant") != std::string::npos);
  l.has_negative_scales = true;
  CHECK(reason_of(node_at_run_time(l, 1, 5000)).find("channel 0") != std::string::npos);
  l.has_negative_scales = false;
  l.out_channels = 8;
  CHECK(reason_of(node_at_run_time(l, 1, 5000)).find("one output channel per input channel") != std::string::npos);
  l.is_int8 = false;
  l.out_channels = 4;
  CHECK(reason_of(node_at_run_time(l, 1, 5000)).find("int8") != std::string::npos);
}

TEST_CASE("depthwise convolutions for Cortex-M obey the laws of kernels") {
  check_layer<kernel, depthwise({.height = 7, .width = 5, .channels = 6, .out_channels = 6, .filter_height = 3, .filter_width = 3})>();
  check_layer<kernel, depthwise({.batch = 2,
                                 .height = 5,
                                 .width = 8,
                                 .channels = 3,
                                 .out_channels = 3,
                                 .filter_height = 3,
                                 .filter_width = 3,
                                 .stride_h = 2,
                                 .stride_w = 2,
                                 .fused = activation::relu,
                                 .zero_point = -128})>();
  check_layer<shared_kernel, depthwise({.height = 6,
                                        .width = 6,
                                        .channels = 5,
                                        .out_channels = 5,
                                        .filter_height = 3,
                                        .filter_width = 3,
                                        .fused = activation::relu,
                                        .zero_point = -128})>();
  check_layer<kernel, depthwise({.height = 9,
                                 .width = 3,
                                 .channels = 7,
                                 .out_channels = 7,
                                 .filter_height = 5,
                                 .filter_width = 2,
                                 .stride_h = 2,
                                 .fused = activation::relu6})>();
  check_layer<shared_kernel,
              depthwise({.height = 9, .channels = 2, .out_channels = 2, .filter_height = 5, .filter_width = 1, .is_same = false})>();
  check_layer<
      kernel,
      one_layer::once(
          depthwise(
              {.height = 4, .width = 4, .channels = 3, .out_channels = 3, .filter_height = 3, .filter_width = 3, .has_real_bias = true}),
          1, 1, 0, 0)>();
}
