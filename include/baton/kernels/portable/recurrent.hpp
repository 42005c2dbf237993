// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with gates, `tfl.unidirectional_sequence_lstm`, for int8, int16 and float32; their states are variable tensors.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/products.hpp>
#include <baton/kernels/quantized.hpp>
#include <baton/operators/int16_functions.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/run/kernel.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The operands of an LSTM: four weights of inputs and four of the hidden state, each for the input, forget, cell and output gate, four
/// biases, two states.
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

/// How the two sums of a gate become its argument.
struct gate_factors {
  fixed_multiplier of_input{};
  fixed_multiplier of_hidden{};
};

/// What the compiler knows of an LSTM.
struct lstm_plan {
  dtype type = dtype::float32;  ///< of inputs and outputs
  std::int32_t batches = 1;
  std::int32_t steps = 1;
  std::int32_t inputs = 1;
  std::int32_t units = 1;
  flag is_time_major = 0;
  std::int32_t input_zero_point = 0;
  std::int32_t hidden_zero_point = 0;
  std::array<gate_factors, lstm_gate::count> gates{};
  fixed_multiplier kept{};    ///< of forget gate · cell state
  fixed_multiplier added{};   ///< of input gate · cell gate
  fixed_multiplier hidden{};  ///< of output gate · tanh of the cell state
  int16_factor of_cell{};     ///< brings the cell state to what tanh takes
  flag is_clipped = 0;
  std::int32_t clip = 0;  ///< of the cell state
  float float_clip = 0;
};

/// The power of two next to a scale: the reference rounds the logarithm.
constexpr auto nearest_power(float scale) -> std::int32_t {
  const auto bits = std::bit_cast<std::uint32_t>(scale);
  const auto below = static_cast<std::int32_t>(bits >> 23) - 127;
  return (bits & 0x7fffffu) >= 0x3504f4u ? below + 1 : below;  // the fraction of the root of 2
}

constexpr auto weight_scale(node_check& check, const operand& of, std::string_view what) -> float {
  const auto found = check.per_tensor(of, what);
  check.demand(found.zero_point == 0, what, " have zero point ", found.zero_point);
  return found.scale;
}

/// The numeric facts of an LSTM on integers.
constexpr void describe_scales(node_check& check, lstm_plan& plan, const operand& in, const operand& hidden, const operand& cell) {
  constexpr float step = 1.0f / 4096;  // arguments of gates are in Q3.12
  constexpr double one = 1.0 / 32768;  // and results in Q0.15
  const auto of_input = check.per_tensor(in, "input");
  const auto of_hidden = check.per_tensor(hidden, "hidden state");
  const auto of_cell = check.per_tensor(cell, "cell state");
  check.demand(of_cell.zero_point == 0, "cell state has zero point ", of_cell.zero_point);
  plan.input_zero_point = of_input.zero_point;
  plan.hidden_zero_point = of_hidden.zero_point;
  for (std::size_t g = 0; g < lstm_gate::count; ++g) {
    const auto w = weight_scale(check, check.input(lstm_operand::weights + g, "weights", 2), "weights");
    const auto r = weight_scale(check, check.input(lstm_operand::recurrent + g, "recurrent weights", 2), "recurrent weights");
    plan.gates[g].of_input = factor(check, static_cast<double>(of_input.scale * w) / static_cast<double>(step), "weights");
    plan.gates[g].of_hidden = factor(check, static_cast<double>(of_hidden.scale * r) / static_cast<double>(step), "recurrent weights");
    if (plan.type == dtype::int16) {
      const bool fits = plan.gates[g].of_input.shift < 8 && plan.gates[g].of_hidden.shift < 8;
      check.demand(fits, "scales are too far apart for sums of 64 bits");
    }
  }
  const auto cell_scale = static_cast<double>(of_cell.scale);
  plan.kept = factor(check, one * cell_scale / cell_scale, "the cell state");
  plan.added = factor(check, one * one / cell_scale, "the cell state");
  plan.hidden = factor(check, one * one / static_cast<double>(of_hidden.scale), "the hidden state");
  const auto left = nearest_power(of_cell.scale) + 12;
  check.demand(left >= -31 && left <= 14, "cell state has a scale that tanh does not take");
  plan.of_cell = left < 0 ? int16_factor{3, -left} : int16_factor{0, left};
  const auto clip = static_cast<double>(plan.float_clip) / cell_scale;
  plan.clip = clip >= 32767 ? 32767 : static_cast<std::int32_t>(clip);
}

/// Shapes: input [batch, time, K], or [time, batch, K]; weights [N, K], recurrent weights [N, N]; biases [N]; states batch · N elements.
constexpr auto describe_lstm(const program_view& program, const node& record) -> description<lstm_plan> {
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
  check.demand(hidden.count == states && cell.count == states, "states of ", hidden.count, " and ", cell.count, " elements, not ", states);
  check.demand(hidden.id != cell.id || hidden.id == none<value_id>, "hidden state and cell state are one");
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
  const auto demand_none = [&](std::size_t first, std::size_t count, std::string_view what) {
    for (auto i = first; i < first + count; ++i) check.demand(!check.has_input(i), what, " (operand ", i, ")");
  };
  demand_none(lstm_operand::peephole, 3, "peephole weights");
  demand_none(lstm_operand::projection, 2, "a projection");
  demand_none(lstm_operand::norm, 4, "layer normalization");
  check.demand(program.integer(record, "diagonal_recurrent_tensors") == 0, "recurrent weights are diagonals");
  const auto function = program.text(record, "fused_activation_function", "tanh");
  check.demand(function == "tanh", "the cell gate's function is ", function);
  const auto clip = program.real(record, "cell_clip");
  check.demand(
      clip <= static_cast<double>(std::numeric_limits<float>::max()) && clip >= -static_cast<double>(std::numeric_limits<float>::max()),
      "the cell's clip is no finite number");
  plan.is_clipped = check.ok() && clip > 0 ? 1 : 0;
  plan.float_clip = plan.is_clipped != 0 ? static_cast<float>(clip) : 0.0f;
  const auto most = in.is_int8() ? INT32_MAX / (255 * 128) : 1 << 23;
  check.demand(is_float || (plan.inputs <= most && plan.units <= most), "sums of ", plan.inputs, " and ", plan.units,
               " products may not fit");
  if (!is_float) describe_scales(check, plan, in, hidden, cell);
  return {check.verdict_so_far(), plan};
}

// The sums of products of a gate. Functions of their own: they are called from eight places.

/// The numbers that a vector multiplies. What is left over is multiplied with the last such block of a row of weights: behind the
/// numbers lies one of theirs that has zeros where they have been multiplied already.
inline constexpr std::int32_t gate_block = has_vectors ? 16 : 0;

/// int8 numbers less their zero point in 16 bits, and that block.
inline auto widen_for_products(const char* from, std::int32_t zero_point, std::int32_t count, char* to) -> const char* {
  for (std::int32_t k = 0; k < count; ++k) store(to, k, static_cast<std::int16_t>(load<std::int8_t>(from, k) - zero_point));
  if constexpr (has_vectors) {
    for (std::int32_t i = 0; count >= gate_block && i < gate_block; ++i) {
      const auto k = count - gate_block + i;
      store(to, count + i, k < count / gate_block * gate_block ? std::int16_t{0} : load<std::int16_t>(to, k));
    }
  }
  return to;
}

/// Of numbers of 16 bits, as `widen_for_products` leaves them, with int8 weights.
[[gnu::noinline]] inline auto sum_of_products(const char* from, const char* weights, std::int32_t count) -> std::int32_t {
  std::int32_t sum = 0;
  std::int32_t k = 0;
  const auto product = [&](std::int32_t i) { return load<std::int16_t>(from, i) * load<std::int8_t>(weights, i); };
  if constexpr (has_vectors) {
    for (; k + gate_block <= count; k += gate_block) {
      for (std::int32_t i = 0; i < gate_block; ++i) sum += product(k + i);
    }
    if (count < gate_block || k == count) {
      for (; k < count; ++k) sum += product(k);
      return sum;
    }
    const auto* last = from + 2 * std::ptrdiff_t{count};
    for (std::int32_t i = 0; i < gate_block; ++i) sum += load<std::int16_t>(last, i) * load<std::int8_t>(weights, count - gate_block + i);
    return sum;
  }
  for (; k + 4 <= count; k += 4) sum += product(k) + product(k + 1) + product(k + 2) + product(k + 3);
  for (; k < count; ++k) sum += product(k);
  return sum;
}
/// The same, less a zero point, in 64 bits.
[[gnu::noinline]] inline auto wide_sum_of_products(const char* from, std::int32_t zero_point, const char* weights, std::int32_t count)
    -> std::int64_t {
  std::int64_t sum = 0;
  for (std::int32_t k = 0; k < count; ++k) sum += (load<std::int16_t>(from, k) - zero_point) * load<std::int8_t>(weights, k);
  return sum;
}
/// A row of weights of each gate.
using gate_rows = std::array<const char*, lstm_gate::count>;

/// Of float32 with a row of each gate, which begins so many bytes behind the first: four sums side by side are one vector, and the gates
/// share what is multiplied.
[[gnu::always_inline]] inline auto float_sums_of_products(const char* from, const gate_rows& weights, std::ptrdiff_t begin,
                                                          std::int32_t count) -> std::array<float, lstm_gate::count> {
  float sums[lstm_gate::count][4] = {};
  std::int32_t k = 0;
  const auto add = [&](std::size_t gate) {
    for (std::int32_t i = 0; i < 4; ++i) sums[gate][i] += load<float>(from, k + i) * load<float>(weights[gate] + begin, k + i);
  };
  for (; k + 4 <= count; k += 4) {
    add(0);  // a loop over the gates would leave the sums in memory
    add(1);
    add(2);
    add(3);
  }
  const auto total = [&](std::size_t gate) { return sums[gate][0] + sums[gate][1] + sums[gate][2] + sums[gate][3]; };
  std::array<float, lstm_gate::count> made{total(0), total(1), total(2), total(3)};
  for (; k < count; ++k) {
    const auto add_one = [&](std::size_t gate) { made[gate] += load<float>(from, k) * load<float>(weights[gate] + begin, k); };
    add_one(0);
    add_one(1);
    add_one(2);
    add_one(3);
  }
  return made;
}

constexpr auto cut_to_int16(std::int32_t x) -> std::int16_t {
  return static_cast<std::int16_t>(bounds<std::int32_t>{-32768, 32767}.clamp(x));
}

/// The arithmetic of an LSTM on integers: gates in Q3.12 and Q0.15, the cell state in int16, each product and each sum cut to its type.
/// `lstm_eval.h` of TensorFlow Lite Micro.
template <class T>
struct integer_lstm {
  using element = T;
  using cell = std::int16_t;
  using sum = std::conditional_t<sizeof(T) == 1, std::int32_t, std::int64_t>;

  /// Where a step's numbers lie, ready to be multiplied: int8 ones less their zero point in 16 bits, which all gates share.
  static auto ready(const char* from, [[maybe_unused]] std::int32_t zero_point, [[maybe_unused]] std::int32_t count,
                    [[maybe_unused]] char* to) -> const char* {
    if constexpr (sizeof(T) == 1) return widen_for_products(from, zero_point, count, to);
    if constexpr (sizeof(T) != 1) return from;
  }
  static auto products(const char* from, [[maybe_unused]] std::int32_t zero_point, const char* weights, std::int32_t count) -> sum {
    if constexpr (sizeof(T) == 1) return sum_of_products(from, weights, count);
    if constexpr (sizeof(T) != 1) return wide_sum_of_products(from, zero_point, weights, count);
  }
  static auto scale(sum x, fixed_multiplier by) -> std::int32_t {
    if constexpr (sizeof(T) == 1) return requantize(x, by);
    constexpr auto most = (std::int64_t{1} << 47) - 1;  // the reference has no rule for more, which a bias of 64 bits may bring
    if constexpr (sizeof(T) != 1) return requantize_wide(bounds<std::int64_t>{-most, most}.clamp(x), by);
  }
  /// What the functions of a unit's gates are asked.
  [[gnu::always_inline]] static auto arguments(const lstm_plan& plan, std::int32_t unit, const char* from, const gate_rows& weights,
                                               const gate_rows& biases, const char* hidden, const gate_rows& recurrent)
      -> std::array<cell, lstm_gate::count> {
    const auto of = [&](std::size_t gate) {
      return argument(plan, gate, from, weights[gate] + std::ptrdiff_t{unit} * plan.inputs,
                      biases[gate] + static_cast<std::ptrdiff_t>(sizeof(sum)) * unit, hidden,
                      recurrent[gate] + std::ptrdiff_t{unit} * plan.units);
    };
    return {of(0), of(1), of(2), of(3)};
  }
  [[gnu::always_inline]] static auto argument(const lstm_plan& plan, std::size_t gate, const char* from, const char* weights,
                                              const char* bias, const char* hidden, const char* recurrent) -> cell {
    const auto of_input = products(from, plan.input_zero_point, weights, plan.inputs);
    return argument(plan, gate, of_input, load<sum>(bias), products(hidden, plan.hidden_zero_point, recurrent, plan.units));
  }
  /// Of the sums of a gate's products.
  [[gnu::always_inline]] static auto argument(const lstm_plan& plan, std::size_t gate, sum sum_of_input, sum bias, sum of_hidden) -> cell {
    using bits = std::make_unsigned_t<sum>;  // a bias may carry beyond: that wraps
    const auto of_input = static_cast<sum>(static_cast<bits>(sum_of_input) + static_cast<bits>(bias));
    return cut_to_int16(cut_to_int16(scale(of_input, plan.gates[gate].of_input)) +
                        cut_to_int16(scale(of_hidden, plan.gates[gate].of_hidden)));
  }
  static auto logistic(cell x) -> cell { return logistic_of_int16(x, {}); }
  static auto tanh(cell x) -> cell { return tanh_of_int16(x, {}); }
  [[gnu::always_inline]] static auto next_cell(const lstm_plan& plan, cell before, cell forget, cell input, cell made) -> cell {
    const auto kept = cut_to_int16(requantize(forget * before, plan.kept));
    const auto sum = cut_to_int16(kept + cut_to_int16(requantize(input * made, plan.added)));
    return plan.is_clipped != 0 ? static_cast<cell>(bounds<std::int32_t>{-plan.clip, plan.clip}.clamp(sum)) : sum;
  }
  [[gnu::always_inline]] static auto next_hidden(const lstm_plan& plan, cell state, cell output) -> T {
    const auto x = wrapping_sum(requantize(tanh_of_int16(state, plan.of_cell) * output, plan.hidden), plan.hidden_zero_point);
    return static_cast<T>(bounds<std::int32_t>{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}.clamp(x));
  }
};

struct float_lstm {
  using element = float;
  using cell = float;
  using sum = float;

  static auto ready(const char* from, std::int32_t, std::int32_t, char*) -> const char* { return from; }
  static auto cut(float x) -> float { return float_bounds(activation::none).clamp(x); }
  /// What the functions of a unit's gates are asked.
  static auto arguments(const lstm_plan& plan, std::int32_t unit, const char* from, const gate_rows& weights, const gate_rows& biases,
                        const char* hidden, const gate_rows& recurrent) -> std::array<float, lstm_gate::count> {
    const auto of_input = float_sums_of_products(from, weights, 4 * std::ptrdiff_t{unit} * plan.inputs, plan.inputs);
    const auto of_hidden = float_sums_of_products(hidden, recurrent, 4 * std::ptrdiff_t{unit} * plan.units, plan.units);
    const auto of = [&](std::size_t gate) { return cut(of_input[gate] + load<float>(biases[gate], unit)) + cut(of_hidden[gate]); };
    return {of(0), of(1), of(2), of(3)};
  }
  static auto logistic(float x) -> float { return 1.0f / (1.0f + machine::exp(-x)); }
  static auto tanh(float x) -> float { return machine::tanh(x); }
  static auto next_cell(const lstm_plan& plan, float before, float forget, float input, float made) -> float {
    const auto sum = cut(forget * before) + cut(input * made);
    return plan.is_clipped != 0 ? bounds<float>{-plan.float_clip, plan.float_clip}.clamp(sum) : sum;
  }
  static auto next_hidden(const lstm_plan&, float state, float output) -> float { return cut(tanh(state) * output); }
};

/// One step of one batch: all gates see the hidden state of the step before, so the new one is made in the output first.
template <class Rule>
[[gnu::always_inline]] inline void step_lstm(const lstm_plan& plan, const node_memory& at, const char* from, char* hidden, char* cell,
                                             char* to) {
  using element = typename Rule::element;
  using state = typename Rule::cell;
  char* room = at.scratch.data();
  const auto* x = Rule::ready(from, plan.input_zero_point, plan.inputs, room);
  const auto* before =
      Rule::ready(hidden, plan.hidden_zero_point, plan.units, room == nullptr ? room : room + 2 * std::ptrdiff_t{plan.inputs + gate_block});
  const auto rows = [&](std::size_t first) {
    return gate_rows{at.inputs[first], at.inputs[first + 1], at.inputs[first + 2], at.inputs[first + 3]};
  };
  const auto weights = rows(lstm_operand::weights);
  const auto biases = rows(lstm_operand::biases);
  const auto recurrent = rows(lstm_operand::recurrent);
  for (std::int32_t unit = 0; unit < plan.units; ++unit) {
    const auto arguments = Rule::arguments(plan, unit, x, weights, biases, before, recurrent);
    const auto input = Rule::logistic(arguments[lstm_gate::input]);
    const auto forget = Rule::logistic(arguments[lstm_gate::forget]);
    const auto made = Rule::tanh(arguments[lstm_gate::cell]);
    const auto output = Rule::logistic(arguments[lstm_gate::output]);
    const auto next = Rule::next_cell(plan, load<state>(cell, unit), forget, input, made);
    store(cell, unit, next);
    store(to, unit, Rule::next_hidden(plan, next, output));
  }
  std::memcpy(hidden, to, sizeof(element) * static_cast<std::size_t>(plan.units));
}

template <class Rule>
[[gnu::always_inline]] inline void run_lstm(const lstm_plan& plan, const node_memory& at) {
  constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(typename Rule::element));
  constexpr auto cell_bytes = static_cast<std::ptrdiff_t>(sizeof(typename Rule::cell));
  for (std::int32_t batch = 0; batch < plan.batches; ++batch) {
    for (std::int32_t time = 0; time < plan.steps; ++time) {
      const std::ptrdiff_t row = plan.is_time_major != 0 ? time * plan.batches + batch : batch * plan.steps + time;
      step_lstm<Rule>(plan, at, at.inputs[lstm_operand::input] + bytes * row * plan.inputs, at.states[0] + bytes * batch * plan.units,
                      at.states[1] + cell_bytes * batch * plan.units, at.outputs[0] + bytes * row * plan.units);
    }
  }
}

}  // namespace detail

/// `tfl.unidirectional_sequence_lstm` on float32, or on int8 or int16 with int8 weights and an int16 cell state, all per tensor; batch or
/// time first. The cell gate's function is tanh. Without peepholes, projection and layer normalization, which the
/// reference has not; as there, the clip of a projection says nothing.
/// Numeric rules: `EvalLstm` of TensorFlow Lite Micro (`micro/kernels/lstm_eval.h`).
struct lstm : described_kernel<lstm> {
  static constexpr literal_name operators[] = {"tfl.unidirectional_sequence_lstm"};
  static constexpr std::size_t states[] = {detail::lstm_operand::hidden, detail::lstm_operand::cell};
  /// On int8, a step's input and hidden state in 16 bits.
  static constexpr auto scratch_bytes(const program_view& program, const node& record) -> std::uint32_t {
    const auto plan = detail::describe_lstm(program, record).plan;
    return plan.type == dtype::int8 ? 2 * static_cast<std::uint32_t>(plan.inputs + plan.units + 2 * detail::gate_block) : 0;
  }
  static constexpr auto describe(const program_view& program, const node& record) -> description<detail::lstm_plan> {
    return detail::describe_lstm(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::lstm_plan& plan, const node_memory& at) {
    if (plan.type == dtype::int8) return detail::run_lstm<detail::integer_lstm<std::int8_t>>(plan, at);
    if (plan.type == dtype::int16) return detail::run_lstm<detail::integer_lstm<std::int16_t>>(plan, at);
    detail::run_lstm<detail::float_lstm>(plan, at);
  }
};
static_assert(kernel<lstm>);

}  // namespace baton::portable
