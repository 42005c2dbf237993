// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile-time plan of an LSTM: operands, shapes and the factors of its gates.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/int16_functions.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::portable::detail {

/// The operand positions of an LSTM. `weights`, `recurrent` and `biases` are each the first of four operands: one for each gate, in the
/// order of `lstm_gate`. `peephole`, `projection` and `norm` are the first of three, two and four operands, which must be absent. `hidden`
/// and `cell` are mutable buffers.
struct lstm_operand {
  enum : std::size_t {
    input = 0,
    weights = 1,
    recurrent = 5,
    peephole = 9,
    biases = 12,
    projection = 16,
    hidden = 18,
    cell = 19,
    norm = 20
  };
};
struct lstm_gate {
  enum : std::size_t { input, forget, cell, output, count };
};

/// The factors that rescale the two sums of a gate, over the input and over the hidden state, to the scale of the gate's argument.
struct gate_factors {
  quantized::fixed_multiplier input{};
  quantized::fixed_multiplier hidden{};
};

/// The compile-time plan of an LSTM.
struct lstm_plan {
  dtype type = dtype::float32;  ///< the dtype of inputs and outputs
  std::int32_t batches = 1;
  std::int32_t steps = 1;
  std::int32_t inputs = 1;
  std::int32_t units = 1;
  flag is_time_major = 0;
  std::int32_t input_zero_point = 0;
  std::int32_t hidden_zero_point = 0;
  std::array<gate_factors, lstm_gate::count> gates{};
  quantized::fixed_multiplier kept{};     ///< rescales the product of the forget gate and the cell state
  quantized::fixed_multiplier added{};    ///< rescales the product of the input gate and the cell gate
  quantized::fixed_multiplier hidden{};   ///< rescales the product of the output gate and the tanh of the cell state
  quantized::int16_factor tanh_factor{};  ///< rescales the cell state to the argument of tanh
  flag is_clipped = 0;
  std::int32_t clip = 0;  ///< if `is_clipped`: the maximum magnitude of an int16 cell state
  float float_clip = 0;   ///< if `is_clipped`: the maximum magnitude of a float32 cell state
};

/// Returns the base-2 logarithm of a scale, rounded to the nearest integer as in the reference.
constexpr auto rounded_log2(float scale) -> std::int32_t {
  const auto bits = std::bit_cast<std::uint32_t>(scale);
  const auto below = static_cast<std::int32_t>(bits >> 23) - 127;
  return (bits & 0x7fffffu) >= 0x3504f4u ? below + 1 : below;  // the fraction bits of sqrt(2)
}

/// Returns the scale of weights, and checks that their zero point is 0.
constexpr auto weight_scale(node_check& check, const operand& of, std::string_view name) -> float {
  const auto quant = check.per_tensor(of, name);
  check.demand(quant.zero_point == 0, name, " have zero point ", quant.zero_point);
  return quant.scale;
}

/// Sets the zero points, factors and clip of an integer LSTM.
constexpr void describe_scales(node_check& check, lstm_plan& plan, const operand& in, const operand& hidden, const operand& cell) {
  constexpr float argument_scale = 1.0f / 4096;  // arguments of gates are in Q3.12
  constexpr double result_scale = 1.0 / 32768;   // results are in Q0.15
  const auto input_quant = check.per_tensor(in, "input");
  const auto hidden_quant = check.per_tensor(hidden, "hidden state");
  const auto cell_quant = check.per_tensor(cell, "cell state");
  check.demand(cell_quant.zero_point == 0, "cell state has zero point ", cell_quant.zero_point);
  plan.input_zero_point = input_quant.zero_point;
  plan.hidden_zero_point = hidden_quant.zero_point;
  for (std::size_t g = 0; g < lstm_gate::count; ++g) {
    const auto w = weight_scale(check, check.input(lstm_operand::weights + g, "weights", 2), "weights");
    const auto r = weight_scale(check, check.input(lstm_operand::recurrent + g, "recurrent weights", 2), "recurrent weights");
    plan.gates[g].input = factor(check, static_cast<double>(input_quant.scale * w) / static_cast<double>(argument_scale), "weights");
    plan.gates[g].hidden =
        factor(check, static_cast<double>(hidden_quant.scale * r) / static_cast<double>(argument_scale), "recurrent weights");
    if (plan.type == dtype::int16) {
      const bool fits = plan.gates[g].input.shift < 8 && plan.gates[g].hidden.shift < 8;
      check.demand(fits, "scale ratio is out of range for sums of 64 bits");
    }
  }
  const auto cell_scale = static_cast<double>(cell_quant.scale);
  plan.kept = factor(check, result_scale * cell_scale / cell_scale, "the cell state");
  plan.added = factor(check, result_scale * result_scale / cell_scale, "the cell state");
  plan.hidden = factor(check, result_scale * result_scale / static_cast<double>(hidden_quant.scale), "the hidden state");
  const auto left = rounded_log2(cell_quant.scale) + 12;
  check.demand(left >= -31 && left <= 14, "cell state has a scale that tanh does not support");
  plan.tanh_factor = left < 0 ? quantized::int16_factor{3, -left} : quantized::int16_factor{0, left};
  const auto clip = static_cast<double>(plan.float_clip) / cell_scale;
  plan.clip = clip >= 32767 ? 32767 : static_cast<std::int32_t>(clip);
}

/// Returns the plan of an LSTM with N units and K inputs, or the reason why it is not supported. Shapes: input [batch, time, K] or [time,
/// batch, K]; weights [N, K]; recurrent weights [N, N]; biases [N]. A state has batch · N elements.
constexpr auto describe_lstm(const program_view& program, const node& record) -> node_description<lstm_plan> {
  node_check check{program, record};
  check.counts(20, 24);
  check.conforms();
  const auto in = check.input(lstm_operand::input, "input", 3);
  const auto hidden = check.state(lstm_operand::hidden, "hidden state");
  const auto cell = check.state(lstm_operand::cell, "cell state");
  const auto out = check.output(3);
  lstm_plan plan;
  check.is_one_of(in, {dtype::float32, dtype::int8, dtype::int16}, "input");
  plan.type = in.type;
  plan.is_time_major = program.integer(record, "time_major") != 0 ? 1 : 0;
  plan.units = out.last();
  if (in.shape.size() == 3) {
    plan.batches = in.size(plan.is_time_major != 0 ? 1 : 0);
    plan.steps = in.size(plan.is_time_major != 0 ? 0 : 1);
    plan.inputs = in.size(2);
  }
  const bool is_float = in.is_float();
  const auto bias_type = is_float ? dtype::float32 : in.is_int8() ? dtype::int32 : dtype::int64;
  check.is_one_of(hidden, {in.type}, "hidden state");
  check.is_one_of(cell, {is_float ? dtype::float32 : dtype::int16}, "cell state");
  check.is_one_of(out, {in.type}, "output");
  const auto states = std::int64_t{plan.batches} * plan.units;
  check.demand(hidden.count == states && cell.count == states, "hidden state and cell state have ", hidden.count, " and ", cell.count,
               " elements, not ", states, " each");
  check.demand(hidden.id != cell.id || hidden.id == none<value_id>, "hidden state and cell state are the same tensor");
  for (std::size_t g = 0; g < lstm_gate::count; ++g) {
    const auto weights = check.input(lstm_operand::weights + g, "weights", 2);
    const auto recurrent = check.input(lstm_operand::recurrent + g, "recurrent weights", 2);
    const auto bias = check.input(lstm_operand::biases + g, "bias", 1);
    check.is_one_of(weights, {is_float ? dtype::float32 : dtype::int8}, "weights");
    check.is_one_of(recurrent, {is_float ? dtype::float32 : dtype::int8}, "recurrent weights");
    check.is_one_of(bias, {bias_type}, "bias");
    if (!check.ok()) break;
    check.demand(weights.size(0) == plan.units && weights.size(1) == plan.inputs, "weights are ", weights.size(0), " by ", weights.size(1),
                 ", not ", plan.units, " by ", plan.inputs);
    check.demand(recurrent.size(0) == plan.units && recurrent.size(1) == plan.units, "recurrent weights are ", recurrent.size(0), " by ",
                 recurrent.size(1), ", not ", plan.units, " by ", plan.units);
    check.demand(bias.count == plan.units, "bias has ", bias.count, " elements for ", plan.units, " units");
  }
  const auto demand_none = [&](std::size_t first, std::size_t count, std::string_view name) {
    for (auto i = first; i < first + count; ++i) check.demand(!check.has_input(i), "operand ", i, " (", name, ") is not supported");
  };
  demand_none(lstm_operand::peephole, 3, "peephole weights");
  demand_none(lstm_operand::projection, 2, "a projection");
  demand_none(lstm_operand::norm, 4, "layer normalization");
  check.demand(program.integer(record, "diagonal_recurrent_tensors") == 0, "diagonal_recurrent_tensors is not supported");
  const auto function = program.text(record, "fused_activation_function", "tanh");
  check.demand(function == "tanh", "the cell gate's function is ", function, ", not tanh");
  const auto clip = program.real(record, "cell_clip");
  check.demand(
      clip <= static_cast<double>(std::numeric_limits<float>::max()) && clip >= -static_cast<double>(std::numeric_limits<float>::max()),
      "the cell's clip is not finite");
  plan.is_clipped = check.ok() && clip > 0 ? 1 : 0;
  plan.float_clip = plan.is_clipped != 0 ? static_cast<float>(clip) : 0.0f;
  const auto max_products = in.is_int8() ? INT32_MAX / (255 * 128) : 1 << 23;
  check.demand(is_float || (plan.inputs <= max_products && plan.units <= max_products), "sums of ", plan.inputs, " and ", plan.units,
               " products may not fit ", in.is_int8() ? 32 : 48, " bits");
  if (!is_float) describe_scales(check, plan, in, hidden, cell);
  return {check.verdict_so_far(), plan};
}

}  // namespace baton::portable::detail
