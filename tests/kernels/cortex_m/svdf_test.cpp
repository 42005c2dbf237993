// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Filters over time on int8 against the portable kernel over several inferences: outputs and states of random layers, sums that wrap,
// rejected nodes, and the laws of kernels.
#include <baton/kernels/cortex_m/svdf.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/svdf.hpp>

#include "kernels/one_node.hpp"
#include "laws/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace baton;
using one_node::bytes;
using one_node::drawn;
using fast_svdf = cortex_m::detail::svdf<>;
using plain_svdf = portable::detail::svdf;

struct filters {
  int batches = 1, inputs = 8, units = 4, rank = 1, memory = 8;
  dtype state = dtype::int8;
  bool has_bias = true, is_relu = false;
  float scale = 0.05f, feature_scale = 0.01f, time_scale = 0.01f, state_scale = 0.5f, output_scale = 0.1f;
  int zero_point = 0, feature_zero_point = 0, time_zero_point = 0, state_zero_point = 0, output_zero_point = 0;
  int max_bias = 5000;
  bool is_extreme = false;  ///< whether all weights and the initial state are -128, or -32768 in int16

  auto features() const -> int { return units * rank; }
};

auto random_filters(drawn& draw) -> filters {
  filters f;
  f.batches = draw.of({1, 1, 1, 2, 3});
  f.inputs = draw.once_in(2) ? draw.from_to(1, 20) : draw.of({16, 32, 96, 97, 130});
  f.units = draw.from_to(1, 9);
  f.rank = draw.of({1, 1, 2, 3, 4});
  f.memory = draw.once_in(2) ? draw.from_to(1, 10) : draw.of({8, 16, 32, 33});
  f.state = draw.once_in(2) ? dtype::int16 : dtype::int8;
  f.has_bias = !draw.once_in(4);
  f.is_relu = draw.once_in(2);
  f.scale = draw.of({0.01f, 0.06f, 0.4f});
  f.feature_scale = draw.of({0.002f, 0.009f, 0.02f});
  f.time_scale = f.state == dtype::int8 ? draw.of({0.002f, 0.01f, 0.03f}) : draw.of({3e-6f, 3e-5f, 3e-4f});
  f.state_scale = f.state == dtype::int8 ? draw.of({0.05f, 0.3f, 0.8f}) : draw.of({3e-5f, 2e-4f, 3e-3f});
  f.output_scale = draw.of({0.02f, 0.1f, 0.5f});
  f.zero_point = draw.of({-128, 127, 0, 5});
  f.state_zero_point = f.state == dtype::int8 ? draw.of({-128, 127, 0, -50}) : 0;
  f.output_zero_point = draw.of({-128, 127, 0, 9});
  f.max_bias = draw.of({200, 5000, 2000000000});
  return f;
}

/// Returns a program of one node with random weights and a random initial state.
auto build(const filters& f, drawn& draw) -> exported_program {
  program_builder b;
  const auto constant = [&](const char* name, dtype type, const std::vector<int>& shape, const bytes& data, float scale, int zero_point) {
    const auto id = b.constant(name, one_node::type_of(type, shape), {data.data(), data.size()});
    b.quantize(id, scale, zero_point);
    return id;
  };
  const auto elements = [&](dtype type, int count) {
    if (!f.is_extreme) return draw.elements(type, count);
    if (type == dtype::int8) return bytes(static_cast<std::size_t>(count), '\x80');
    return one_node::bytes_of(std::vector<std::int16_t>(static_cast<std::size_t>(count), -32768));
  };
  const auto x = b.user_input("x", one_node::type_of(dtype::int8, {f.batches, f.inputs}));
  b.quantize(x, f.scale, f.zero_point);
  const auto feature = constant("feature", dtype::int8, {f.features(), f.inputs}, elements(dtype::int8, f.features() * f.inputs),
                                f.feature_scale, f.feature_zero_point);
  const auto time =
      constant("time", f.state, {f.features(), f.memory}, elements(f.state, f.features() * f.memory), f.time_scale, f.time_zero_point);
  auto bias = none<value_id>;
  std::vector<std::int32_t> biases;
  for (int i = 0; i < f.units; ++i) biases.push_back(draw.from_to(-f.max_bias, f.max_bias));
  if (f.has_bias) bias = one_node::int32_constant(b, "bias", biases);
  const auto data = elements(f.state, f.batches * f.features() * f.memory);
  const auto state =
      b.mutable_buffer("state", one_node::type_of(f.state, {f.batches, f.features() * f.memory}), {data.data(), data.size()});
  b.quantize(state, f.state_scale, f.state_zero_point);
  const auto y = b.call("tfl.svdf", {x, feature, time, bias, state}, one_node::type_of(dtype::int8, {f.batches, f.units}),
                        {{"rank", f.rank}, {"fused_activation_function", f.is_relu ? "relu" : "none"}});
  b.quantize(y, f.output_scale, f.output_zero_point);
  b.output(y);
  return b.finish();
}
auto state_of(const program_view& program) -> value_id { return program.inputs(program.nodes[0])[4]; }

/// True if outputs and states of three inferences equal those of the portable kernel. Adds the outputs to `outputs`.
auto is_exact(const program_view& program, const filters& f, drawn& draw, bytes& outputs) -> bool {
  nodes::interpreter fast{program};
  nodes::interpreter plain{program};
  for (int run = 0; run < 3; ++run) {
    auto input = draw.elements(dtype::int8, f.batches * f.inputs);
    if (draw.once_in(4)) input.assign(input.size(), draw.of({'\x7f', '\x80'}));
    bytes y;
    bytes expected;
    if (fast.run(kernels<fast_svdf>, input, y) != "" || plain.run(kernels<plain_svdf>, input, expected) != "") return false;
    if (y != expected || fast.at(state_of(program)) != plain.at(state_of(program))) return false;
    outputs.insert(outputs.end(), y.begin(), y.end());
  }
  return true;
}

template <dtype State, int Batches>
constexpr auto small() -> exported_program {
  constexpr char few[] = "\x10\x82\x30\x41\x50\xe5\x70\x08\x18\x28\xc8\x48\x11\x92\x33\x44\x55\x06\x77\x88\x19\x2a\x3b\x4c\x5d";
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, Batches, 5));
  const auto w = b.constant("w", tensor(dtype::int8, 4, 5), {few, 20});
  const auto t = b.constant("t", tensor(State, 4, 3), {few, State == dtype::int8 ? std::size_t{12} : std::size_t{24}});
  const auto state = b.mutable_buffer("state", tensor(State, Batches, 12), {});
  const auto y = b.call("tfl.svdf", {x, w, t, none<value_id>, state}, tensor(dtype::int8, Batches, 2),
                        {{"rank", 2}, {"fused_activation_function", "relu"}});
  b.quantize(x, 0.02f, 1);
  b.quantize(w, 0.01f, 0);
  b.quantize(t, 0.01f, 0);
  b.quantize(state, State == dtype::int8 ? 0.1f : 0.001f, State == dtype::int8 ? -3 : 0);
  b.quantize(y, State == dtype::int8 ? 0.05f : 5.0f, 4);
  b.output(y);
  return b.finish();
}
constexpr static_program with_int8_state{[] { return small<dtype::int8, 2>(); }};
constexpr static_program with_int16_state{[] { return small<dtype::int16, 2>(); }};

constexpr static_program of_one_batch{[] { return small<dtype::int8, 1>(); }};

template <auto& Program>
void check_laws() {
  using program = std::remove_cvref_t<decltype(Program)>;
  const laws::kernel::bytes input{5, -6, 100, 127, -128, 3, -90, 64, 17, 1};
  CHECK(laws::kernel::all<fast_svdf, program>(input));
  const auto results = [&]<class Kernel>(kernel_list<Kernel>) { return laws::kernel::trial<Kernel, program>{}.run(input); };
  CHECK(results(kernels<fast_svdf>) == results(kernels<plain_svdf>));
}

}  // namespace

TEST_CASE("random filters over time have the outputs and states of the portable kernel") {
  int proved_features = 0;
  int wide_units = 0;
  int saturated = 0;
  bytes outputs;
  for (unsigned seed = 0; seed < 1200; ++seed) {
    CAPTURE(seed);
    drawn draw(seed);
    const auto f = random_filters(draw);
    const auto program = build(f, draw);
    const program_view view(program);
    const auto described = fast_svdf::describe(view, view.nodes[0]);
    REQUIRE(described.support.accepted);
    proved_features += described.plan.feature.bits != 0 ? 1 : 0;
    wide_units += described.plan.unit.shift != 0 ? 1 : 0;
    CHECK(is_exact(view, f, draw, outputs));
  }
  for (const char y : outputs) saturated += y == '\x7f' || y == '\x80' ? 1 : 0;
  CHECK(proved_features > 1000);
  CHECK(wide_units > 600);
  CHECK(wide_units < 1200);
  CHECK(saturated > 1000);
  CHECK(outputs.size() - static_cast<std::size_t>(saturated) > 5000);
}

TEST_CASE("the largest sums have the outputs and states of the portable kernel") {
  for (const auto state : {dtype::int8, dtype::int16}) {
    for (const int zero_point : {127, -128}) {
      drawn draw(11);
      filters f{.inputs = 4000, .units = 3, .rank = 4, .memory = 500, .state = state, .is_extreme = true};
      f.zero_point = zero_point;
      f.state_zero_point = state == dtype::int8 ? zero_point : 0;
      f.output_scale = 2000;
      f.scale = 0.0001f;
      const auto program = build(f, draw);
      bytes outputs;
      CHECK(is_exact(program, f, draw, outputs));
    }
  }
}

TEST_CASE("sums of units of any size are requantized in 64 bits as by the portable kernel") {
  drawn draw(5);
  for (int shift = -24; shift <= 1; ++shift) {
    for (const int value : {1 << 30, (1 << 30) + 1, 0x7fffffff, 0x5b6f1a3d}) {
      const baton::quantized::fixed_multiplier by{value, shift};
      const auto zero_point = draw.of({-128, 127, 0, -3});
      const auto unit = cortex_m::detail::unit_factor_of(by, zero_point);
      CHECK((unit.shift != 0) == (shift <= -2 && shift >= -22));
      // Sums near the ends of their range, near 0 and near ties.
      const auto right = shift < 0 ? -shift : 0;
      int different = 0;
      for (const std::int64_t middle : {std::int64_t{INT32_MIN}, std::int64_t{INT32_MAX}, std::int64_t{0}, -(std::int64_t{1} << right),
                                        std::int64_t{1} << right, -(std::int64_t{5} << right), std::int64_t{7} << right}) {
        for (int i = 0; i < 60; ++i) {
          const auto sum = std::clamp<std::int64_t>(middle + draw.from_to(-200, 200), INT32_MIN, INT32_MAX);
          const auto x = static_cast<std::int32_t>(sum);
          const auto expected = cortex_m::detail::plain::sum_of(baton::quantized::requantize(x, by), zero_point);
          different += unit.apply(x) != expected ? 1 : 0;
        }
      }
      CHECK(different == 0);
    }
  }
}

TEST_CASE("factors from 1 on are applied without a proof") {
  for (const auto state : {dtype::int8, dtype::int16}) {
    drawn draw(7);
    filters f{.inputs = 40, .units = 6, .rank = 2, .memory = 12, .state = state};
    f.state_scale = state == dtype::int8 ? 1e-7f : 1e-8f;
    f.output_scale = 1e-11f;
    const auto program = build(f, draw);
    const program_view view(program);
    CHECK(fast_svdf::describe(view, view.nodes[0]).plan.feature.bits == 0);
    CHECK(fast_svdf::describe(view, view.nodes[0]).plan.unit.shift == 0);
    bytes outputs;
    CHECK(is_exact(view, f, draw, outputs));
  }
}

TEST_CASE("filters over time that a kernel does not support are rejected") {
  drawn draw(3);
  const filters f{.state = dtype::int16};
  auto program = build(f, draw);
  CHECK(one_node::refusal<fast_svdf>(program) == "");
  auto moved = f;
  moved.state_zero_point = 7;
  CHECK(one_node::refusal<fast_svdf>(build(moved, draw)) == "the Cortex-M kernel of SVDF requires zero point 0 for an int16 state, not 7");
  moved = f;
  moved.feature_zero_point = 3;
  CHECK(one_node::refusal<plain_svdf>(build(moved, draw)) == "the feature weights have the zero point 3, not 0");
  moved = f;
  moved.time_zero_point = -4;
  CHECK(one_node::refusal<plain_svdf>(build(moved, draw)) == "the time weights have the zero point -4, not 0");
  program_builder b;
  const auto numbers = tensor(dtype::float32, 1, 1);
  const auto x = b.user_input("x", numbers);
  const auto state = b.mutable_buffer("state", numbers);
  b.output(b.call("tfl.svdf",
                  {x, b.constant("w", numbers, {"\0\0\0\0", 4}), b.constant("t", numbers, {"\0\0\0\0", 4}), none<value_id>, state}, numbers,
                  {{"rank", 1}, {"fused_activation_function", "none"}}));
  CHECK(one_node::refusal<fast_svdf>(b.finish()) == "the Cortex-M kernel of SVDF supports only int8");
}

TEST_CASE("filters over time obey the laws of kernels") {
  check_laws<with_int8_state>();
  check_laws<with_int16_state>();
  check_laws<of_one_batch>();
}
