// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Low-rank filters over time, `tfl.svdf`, on int8 for a Cortex-M with the DSP extension: two products per instruction.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/row_products.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/portable/svdf.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m {

namespace detail {

/// The requantization of sums.
struct sum_factor {
  quantized::fixed_multiplier by{};
  std::int32_t zero_point = 0;
  scaled_requantization scaled{};
  std::int32_t bits = 0;        ///< log2 of the scale of the sums in `scaled`; 0: sums may not fit `scaled`, so `by` is applied instead
  std::int32_t correction = 0;  ///< of negative scaled sums

  /// Returns the requantized sum, not yet clamped.
  [[gnu::always_inline]] auto apply(std::int32_t sum) const -> std::int32_t {
    if (bits == 0) return plain::sum_of(quantized::requantize(sum, by), zero_point);
    const auto scaled_sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) << bits);
    const auto high = smmla(scaled_sum, scaled.multiplier, scaled.offset);
    return (high + (scaled_sum < 0 ? correction : 0)) >> scaled.shift;
  }
};

/// Returns the requantization of sums within the bounds `sums`.
constexpr auto factor_of(quantized::bounds<std::int64_t> sums, quantized::fixed_multiplier by, std::int32_t zero_point) -> sum_factor {
  const channel_requantization rule{.value = by.value, .right = -by.shift, .zero_point = zero_point};
  for (std::int32_t bits = 8; bits >= 2; --bits) {
    if (fits_scaled(sums, rule, bits)) return {by, zero_point, scaled_by(rule, bits), bits, correction_of(-1, rule.right, bits)};
  }
  return {by, zero_point};
}

/// The plan of filters over time.
struct svdf_layer {
  portable::detail::svdf_plan shape{};
  sum_factor feature{};  ///< of the sums of a filter's inputs
  sum_factor unit{};     ///< of the sums of a unit

  constexpr auto filters() const -> std::int32_t { return shape.units * shape.rank; }
};

/// Returns bounds that contain 0 and all biases of a node, so {0, 0} if it has none. Returns the bounds of int32 if the biases are not
/// constants.
constexpr auto bias_bounds(const program_view& program, const node& record) -> quantized::bounds<std::int64_t> {
  const auto id = program.inputs(record)[portable::detail::svdf_operand::bias];
  if (id == none<value_id>) return {};
  const auto& bias = program[id];
  if (!is_owned_data(bias.kind) || bias.kind == value_kind::mutable_buffer) return {INT32_MIN, INT32_MAX};
  const auto bytes = program.data(bias.data);
  quantized::bounds<std::int64_t> result;
  for (std::size_t i = 0; 4 * i < bytes.size(); ++i) {
    const std::int64_t each = static_cast<std::int32_t>(quantized::little_endian_32(bytes, i));
    result = {std::min(result.lower, each), std::max(result.upper, each)};
  }
  return result;
}

/// Computes the features of all filters from expanded inputs. Stores each in the oldest element of its filter's state, which the filter
/// drops next.
template <class State>
[[gnu::always_inline]] inline void compute_features(const svdf_layer& plan, const char* inputs, const char* weights, char* state) {
  for_sums_of_rows<std::int32_t>(inputs, weights, plan.shape.inputs, plan.filters(),
                                 [&](std::int32_t, std::int32_t sum) __attribute__((always_inline)) {
                                   const auto feature = plan.feature.apply(sum);
                                   const auto inside = sizeof(State) == 1 ? ssat8(feature) : ssat16(feature);
                                   portable::store(state, 0, static_cast<State>(inside + plan.shape.state_zero_point));
                                   state += static_cast<std::ptrdiff_t>(sizeof(State)) * plan.shape.memory;
                                 });
}

/// Shifts the state of a filter by one step and appends the newest feature, which is in the place of the oldest. Returns `sum` plus the
/// products of the state and the time weights. Sums wrap. `zero_points` has the negated zero point of the state in both halves. It is 0
/// for a state in int16.
template <class State>
[[gnu::always_inline]] inline auto filter_over_time(char* state, const char* weights, std::int32_t memory, std::uint32_t zero_points,
                                                    std::int32_t sum) -> std::int32_t {
  constexpr auto bytes = static_cast<std::int32_t>(sizeof(State));
  constexpr std::int32_t per_word = 4 / bytes;
  const auto newest = portable::load<State>(state);
  const auto add_word = [&](std::uint32_t word) {
    const auto by = portable::load<std::uint32_t>(weights);
    portable::store(state, 0, word);
    if constexpr (bytes == 1) {
      sum = smlad(sxtab16(zero_points, word), sxtb16(by), sum);
      sum = smlad(sxtab16_ror8(zero_points, word), sxtb16_ror8(by), sum);
    } else {
      sum = smlad(word, by, sum);
    }
    state += 4;
    weights += 4;
  };
  const auto add_one = [&](State x) {
    portable::store(state, 0, x);
    sum = plain::sum_of(sum, portable::load<State>(weights) * (x + bottom(zero_points)));
    state += bytes;
    weights += bytes;
  };
  const auto whole = (memory - 1) / per_word;  // words without the newest feature
  const auto rest = memory - whole * per_word;
  for (auto word = whole; word > 0; --word) add_word(portable::load<std::uint32_t>(state + bytes));
  if (rest == per_word) {
    add_word(portable::load<std::uint32_t>(state) >> 8 * bytes | static_cast<std::uint32_t>(newest) << (32 - 8 * bytes));
    return sum;
  }
  for (std::int32_t k = 1; k < rest; ++k) add_one(portable::load<State>(state, 1));
  add_one(newest);
  return sum;
}

/// Computes the outputs of all units. `state` has the newest features in the places of the oldest ones.
template <class State>
[[gnu::always_inline]] inline void compute_units(const svdf_layer& plan, char* state, const char* weights, const char* biases, char* to) {
  const auto memory = plan.shape.memory;
  const auto row_bytes = static_cast<std::ptrdiff_t>(sizeof(State)) * memory;
  const auto zero_points = halfwords(-plan.shape.state_zero_point, -plan.shape.state_zero_point);
  for (std::int32_t unit = 0; unit < plan.shape.units; ++unit) {
    auto sum = biases != nullptr ? portable::load<std::int32_t>(biases, unit) : 0;
    for (std::int32_t r = 0; r < plan.shape.rank; ++r, state += row_bytes, weights += row_bytes)
      sum = filter_over_time<State>(state, weights, memory, zero_points, sum);
    to[unit] = static_cast<char>(ssat8(plan.unit.apply(sum)));
  }
}

template <class State>
[[gnu::always_inline]] inline void run_svdf(const svdf_layer& plan, const node_memory& memory) {
  using operand = portable::detail::svdf_operand;
  const auto& shape = plan.shape;
  const auto* biases = shape.has_bias != 0 ? memory.inputs[operand::bias] : nullptr;
  const auto state_bytes = static_cast<std::ptrdiff_t>(sizeof(State)) * plan.filters() * shape.memory;
  for (std::int32_t batch = 0; batch < shape.batches; ++batch) {
    auto* state = memory.states[operand::state] + batch * state_bytes;
    auto* inputs = memory.scratch.data();
    expand_int8(memory.inputs[operand::input] + std::ptrdiff_t{batch} * shape.inputs, shape.input_zero_point, shape.inputs, inputs);
    compute_features<State>(plan, inputs, memory.inputs[operand::feature_weights], state);
    compute_units<State>(plan, state, memory.inputs[operand::time_weights], biases,
                         memory.outputs[0] + std::ptrdiff_t{batch} * shape.units);
  }
}

/// Computes a node with code that all nodes with the same type of state share.
template <class State>
[[gnu::noinline]] inline void run_any_svdf(const svdf_layer& plan, const node_memory& memory) {
  run_svdf<State>(plan, memory);
}

/// A kernel that computes `tfl.svdf` on int8, with a state in int8, or in int16 with the zero point 0. Reads the weights of the model
/// without packing them. For each batch item, the inputs are expanded to 16 bits in scratch before the outputs are written. Other
/// requirements are the same as for `portable::detail::svdf`. Results are bit-identical, because all sums wrap in the same way.
template <options Options = options{}>
struct svdf {
  static constexpr literal_name operators[] = {"tfl.svdf"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<svdf_layer> {
    auto described = portable::detail::describe_svdf(program, record);
    node_description<svdf_layer> result{std::move(described.support)};
    if (!result.support) return result;
    const auto& shape = described.plan;
    if (shape.type != dtype::int8) return {refuse("the Cortex-M kernel of SVDF supports only int8")};
    if (shape.state == dtype::int16 && shape.state_zero_point != 0)
      return {refuse("the Cortex-M kernel of SVDF requires zero point 0 for an int16 state, not ", shape.state_zero_point)};
    result.plan.shape = shape;
    result.plan.feature = factor_of(sum_bounds(0, max_weights(shape.inputs), shape.input_zero_point), shape.feature_factor, 0);
    quantized::bounds<std::int64_t> sums{INT32_MIN, INT32_MAX};  // not limited for an int16 state, or for more than 2^16 products
    if (shape.state == dtype::int8 && std::int64_t{shape.rank} * shape.memory <= 1 << 16) {
      const auto bias = bias_bounds(program, record);
      sums = sum_bounds(0, max_weights(shape.rank * shape.memory), shape.state_zero_point);
      sums = {sums.lower + bias.lower, sums.upper + bias.upper};
    }
    result.plan.unit = factor_of(sums, shape.unit_factor, shape.zero_point);
    result.facts.scratch_bytes = 2 * static_cast<std::uint32_t>(shape.inputs);
    // As for fully connected layers: the inputs of a batch item are read before its outputs are written.
    const std::int64_t growth = shape.units - shape.inputs;
    auto& distance = result.facts.operands[portable::detail::svdf_operand::input].distance;
    distance = {.ascending = growth * (growth > 0 ? shape.batches - 1 : 1)};
    if (shape.batches == 1) distance = {-shape.inputs, -shape.inputs};
    return result;
  }
  [[gnu::always_inline]] static void compute(const svdf_layer& plan, const node_memory& memory) {
    if constexpr (Options.optimize == optimize_for::code_size) {
      return plan.shape.state == dtype::int8 ? run_any_svdf<std::int8_t>(plan, memory) : run_any_svdf<std::int16_t>(plan, memory);
    }
    return plan.shape.state == dtype::int8 ? run_svdf<std::int8_t>(plan, memory) : run_svdf<std::int16_t>(plan, memory);
  }
};
static_assert(kernel<svdf<>>);

}  // namespace detail

}  // namespace baton::cortex_m
