// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Low-rank filters over time, `tfl.svdf`, on int8 and float32. Their state is a variable tensor.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace baton::portable {

namespace detail {

struct svdf_operand {
  enum : std::size_t { input, feature_weights, time_weights, bias, state };
};

/// The compile-time plan of filters over time. A feature is the dot product of the input and a filter's feature weights. Each filter keeps
/// its last `memory` features; `rank` filters form a unit.
struct svdf_plan {
  dtype type = dtype::float32;        ///< type of the input and the output
  dtype state_type = dtype::float32;  ///< type of the state and of the time weights
  std::int32_t batches = 1;
  std::int32_t inputs = 1;
  std::int32_t units = 1;
  std::int32_t rank = 1;
  std::int32_t memory = 1;
  flag has_bias = 0;
  std::int32_t input_zero_point = 0;
  std::int32_t state_zero_point = 0;
  std::int32_t zero_point = 0;
  quantized::fixed_multiplier feature_factor{};  ///< requantizes a feature to the scale of the state
  quantized::fixed_multiplier unit_factor{};     ///< requantizes the sum of a unit to the scale of the output
  quantized::activation fused = quantized::activation::none;
};

/// Describes filters over time. Shapes: input [batch, K]; feature weights [rank · N, K]; time weights [rank · N, M]; bias [N] or absent;
/// state of batch · rank · N · M elements. K is the number of inputs, N the number of units, and M the number of features that a filter
/// keeps.
constexpr auto describe_svdf(const program_view& program, const node& record) -> node_description<svdf_plan> {
  node_check check{program, record};
  check.counts(5, 5);
  check.conforms();
  const auto in = check.input(svdf_operand::input, "input", 2);
  const auto feature = check.input(svdf_operand::feature_weights, "feature weights", 2);
  const auto time = check.input(svdf_operand::time_weights, "time weights", 2);
  const auto state = check.state(svdf_operand::state, "state");
  const auto out = check.output(2);
  svdf_plan plan;
  check.is_one_of(in, {dtype::float32, dtype::int8}, "input");
  plan.type = in.type;
  plan.state_type = time.type;
  plan.rank = check.option("rank", 0, 1, max_bytes);
  plan.fused = check.fused();
  check.is_one_of(feature, {in.type}, "feature weights");
  if (in.is_float()) check.is_one_of(time, {dtype::float32}, "time weights");
  if (!in.is_float()) check.is_one_of(time, {dtype::int8, dtype::int16}, "time weights");
  check.is_one_of(state, {time.type}, "state");
  check.is_one_of(out, {in.type}, "output");
  if (!check.ok()) return {check.verdict_so_far(), plan};
  plan.batches = in.size(0);
  plan.inputs = in.size(1);
  plan.units = out.size(1);
  plan.memory = time.size(1);
  const auto filters = feature.size(0);
  check.demand(filters % plan.rank == 0, filters, " filters are not a multiple of rank ", plan.rank);
  check.demand(feature.size(1) == plan.inputs, "feature weights are for ", feature.size(1), " inputs, not ", plan.inputs);
  check.demand(time.size(0) == filters, "time weights are for ", time.size(0), " filters, not ", filters);
  const auto count = std::int64_t{plan.batches} * filters * plan.memory;
  check.demand(state.count == count, "state has ", state.count, " elements, not ", count);
  if (check.has_input(svdf_operand::bias)) {
    const auto bias = check.input(svdf_operand::bias, "bias", 1);
    check.is_one_of(bias, {in.is_float() ? dtype::float32 : dtype::int32}, "bias");
    check.demand(bias.count == plan.units, "bias has ", bias.count, " elements for ", plan.units, " units");
    plan.has_bias = 1;
  }
  if (in.is_float()) return {check.verdict_so_far(), plan};
  check.demand(plan.fused == quantized::activation::none || plan.fused == quantized::activation::relu,
               "a fused activation other than relu is not supported");
  check.demand(plan.inputs <= INT32_MAX / (255 * 128), "sums of ", plan.inputs, " products may not fit 32 bits");
  const auto input_quant = check.per_tensor(in, "input");
  const auto feature_quant = check.per_tensor(feature, "feature weights");
  const auto time_quant = check.per_tensor(time, "time weights");
  const auto state_quant = check.per_tensor(state, "state");
  const auto output_quant = check.per_tensor(out, "output");
  check.demand(feature_quant.zero_point == 0, "the feature weights have the zero point ", feature_quant.zero_point, ", not 0");
  check.demand(time_quant.zero_point == 0, "the time weights have the zero point ", time_quant.zero_point, ", not 0");
  plan.input_zero_point = input_quant.zero_point;
  plan.state_zero_point = state_quant.zero_point;
  plan.zero_point = output_quant.zero_point;
  // Both factors are computed in float, as in `PrepareSvdf`.
  plan.feature_factor = factor(check, static_cast<double>(input_quant.scale * feature_quant.scale / state_quant.scale), "the state");
  plan.unit_factor = factor(check, static_cast<double>(state_quant.scale * time_quant.scale / output_quant.scale), "the output");
  return {check.verdict_so_far(), plan};
}

/// Removes the oldest feature from the state of a filter and appends `newest`. Returns the sum of the products of the state, minus its zero
/// point, and the time weights; integer sums wrap.
template <class State>
[[gnu::always_inline]] inline auto filter_over_time(const svdf_plan& plan, char* state, const char* weights, State newest) {
  std::memmove(state, state + sizeof(State), sizeof(State) * static_cast<std::size_t>(plan.memory - 1));
  store(state, plan.memory - 1, newest);
  if constexpr (std::is_same_v<State, float>) {
    float sum = 0;
    for (std::int32_t k = 0; k < plan.memory; ++k) sum += load<float>(weights, k) * load<float>(state, k);
    return sum;
  } else {
    std::uint32_t sum = 0;
    for (std::int32_t k = 0; k < plan.memory; ++k) {
      sum += static_cast<std::uint32_t>(load<State>(weights, k) * (load<State>(state, k) - plan.state_zero_point));
    }
    return sum;
  }
}

/// Returns the feature of a filter. An integer feature is clamped before the state's zero point is added; the addition may wrap.
template <class State>
[[gnu::always_inline]] inline auto feature_of(const svdf_plan& plan, const char* from, const char* weights) -> State {
  if constexpr (std::is_same_v<State, float>) {
    float sum = 0;
    for (std::int32_t k = 0; k < plan.inputs; ++k) sum += load<float>(weights, k) * load<float>(from, k);
    return sum;
  } else {
    std::int32_t sum = 0;
    for (std::int32_t k = 0; k < plan.inputs; ++k)
      sum += load<std::int8_t>(weights, k) * (load<std::int8_t>(from, k) - plan.input_zero_point);
    const quantized::bounds<std::int32_t> range{std::numeric_limits<State>::min(), std::numeric_limits<State>::max()};
    return static_cast<State>(range.clamp(quantized::requantize(sum, plan.feature_factor)) + plan.state_zero_point);
  }
}

/// Computes the units [`first`, `last`) of a batch item.
template <class State>
[[gnu::always_inline]] inline void run_units(const svdf_plan& plan, const node_memory& memory, std::int32_t batch, std::int32_t first,
                                             std::int32_t last) {
  using sum = std::conditional_t<std::is_same_v<State, float>, float, std::uint32_t>;
  constexpr std::ptrdiff_t element_bytes = std::is_same_v<State, float> ? 4 : 1;
  constexpr auto state_bytes = static_cast<std::ptrdiff_t>(sizeof(State));
  const auto* from = memory.inputs[svdf_operand::input] + element_bytes * batch * plan.inputs;
  for (auto unit = first; unit < last; ++unit) {
    sum total{};
    if (plan.has_bias != 0) total = load<sum>(memory.inputs[svdf_operand::bias], unit);
    for (std::int32_t r = 0; r < plan.rank; ++r) {
      const std::ptrdiff_t filter = unit * plan.rank + r;
      const auto feature =
          feature_of<State>(plan, from, memory.inputs[svdf_operand::feature_weights] + element_bytes * filter * plan.inputs);
      auto* state =
          memory.states[svdf_operand::state] + state_bytes * (std::ptrdiff_t{batch} * plan.units * plan.rank + filter) * plan.memory;
      total +=
          filter_over_time<State>(plan, state, memory.inputs[svdf_operand::time_weights] + state_bytes * filter * plan.memory, feature);
    }
    const auto element = std::ptrdiff_t{batch} * plan.units + unit;
    if constexpr (std::is_same_v<State, float>) {
      store(memory.outputs[0], element, quantized::float_bounds(plan.fused).clamp(total));
    } else {
      const auto scaled = quantized::requantize(static_cast<std::int32_t>(total), plan.unit_factor) + plan.zero_point;
      store(memory.outputs[0], element, static_cast<std::int8_t>(quantized::bounds<std::int32_t>{-128, 127}.clamp(scaled)));
    }
  }
}

template <class State>
[[gnu::always_inline]] inline void run_svdf(const svdf_plan& plan, const node_memory& memory) {
  for (std::int32_t batch = 0; batch < plan.batches; ++batch) run_units<State>(plan, memory, batch, 0, plan.units);
}

/// A kernel that computes `tfl.svdf` on float32, or on int8 with a state and time weights in int8 or int16, all quantized per tensor. Fused
/// activation on float32: none, relu, relu_n1_to_1 or relu6; on int8: none, or relu, which is ignored as in the reference. Numeric rules:
/// `EvalIntegerSvdfReference` and `EvalFloatSvdfReference` of TensorFlow Lite Micro (`micro/kernels/svdf_common.cc`).
struct svdf {
  static constexpr literal_name operators[] = {"tfl.svdf"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::svdf_plan> {
    auto result = detail::describe_svdf(program, record);
    if (result.support) result.facts.chunks = result.plan.batches * result.plan.units;
    return result;
  }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    if (plan.state_type == dtype::int8) return detail::run_svdf<std::int8_t>(plan, memory);
    if (plan.state_type == dtype::int16) return detail::run_svdf<std::int16_t>(plan, memory);
    detail::run_svdf<float>(plan, memory);
  }
  /// Computes the chunks [`first`, `last`), each of one unit of a batch item (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    with_memory(call, [&](const node_memory& memory) __attribute__((always_inline)) {
      constexpr const auto& plan = node_plan<svdf, Call>;
      using int_state = std::conditional_t<plan.state_type == dtype::int8, std::int8_t, std::int16_t>;
      using state = std::conditional_t<plan.state_type == dtype::float32, float, int_state>;
      for_row_ranges(plan.units, first, last, [&](std::int32_t batch, std::int32_t begin, std::int32_t end) __attribute__((always_inline)) {
        run_units<state>(plan, memory, batch, begin, end);
      });
    });
  }
};
static_assert(kernel<svdf>);

}  // namespace detail

}  // namespace baton::portable
