// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with gates, `tfl.unidirectional_sequence_lstm`, on int8, int16 and float32. Their states are variable tensors.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/lstm_plan.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/requantize_wide.hpp>
#include <baton/kernels/detail/rescaling.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/int16_functions.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace baton::portable {

namespace detail {

// The sums of products of a gate. The functions of integer sums are not inlined, because each is called from eight places.

/// The size of a block, the weights that one vector step multiplies; 0 if the target has no vectors. If a row has more weights than
/// `gate_block`, but not a multiple of `gate_block`, the last vector step multiplies the row's last `gate_block` weights. The inputs of the
/// last vector step are in an additional block after all inputs. The additional block is a copy of the last `gate_block` inputs, in which 0
/// replaces each input that has already been multiplied.
inline constexpr std::int32_t gate_block = has_vectors ? 16 : 0;

/// Subtracts `zero_point` from int8 numbers, stores the differences in 16 bits at `to`, and appends the additional block (see
/// `gate_block`).
inline void widen_for_products(const char* from, std::int32_t zero_point, std::int32_t count, char* to) {
  for (std::int32_t k = 0; k < count; ++k) store(to, k, static_cast<std::int16_t>(load<std::int8_t>(from, k) - zero_point));
  if constexpr (has_vectors) {
    for (std::int32_t i = 0; count >= gate_block && i < gate_block; ++i) {
      const auto k = count - gate_block + i;
      store(to, count + i, k < count / gate_block * gate_block ? std::int16_t{0} : load<std::int16_t>(to, k));
    }
  }
}

/// Returns the sum of the products of 16-bit numbers (the result of `widen_for_products`) and int8 weights.
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
/// Returns the 64-bit sum of (number − `zero_point`) · weight over int16 numbers and int8 weights.
[[gnu::noinline]] inline auto wide_sum_of_products(const char* from, std::int32_t zero_point, const char* weights, std::int32_t count)
    -> std::int64_t {
  std::int64_t sum = 0;
  for (std::int32_t k = 0; k < count; ++k) sum += (load<std::int16_t>(from, k) - zero_point) * load<std::int8_t>(weights, k);
  return sum;
}
/// A row of weights for each gate.
using gate_rows = std::array<const char*, lstm_gate::count>;

/// Returns, for each gate, the dot product of float32 numbers and a row of the gate's weights. `begin` is the offset of the row in bytes.
/// The sum of a gate is computed as four partial sums, which form one vector. Each loaded number is used for all gates.
[[gnu::always_inline]] inline auto float_sums_of_products(const char* from, const gate_rows& weights, std::ptrdiff_t begin,
                                                          std::int32_t count) -> std::array<float, lstm_gate::count> {
  float sums[lstm_gate::count][4] = {};
  std::int32_t k = 0;
  const auto add = [&](std::size_t gate) {
    for (std::int32_t i = 0; i < 4; ++i) sums[gate][i] += load<float>(from, k + i) * load<float>(weights[gate] + begin, k + i);
  };
  for (; k + 4 <= count; k += 4) {
    add(0);  // a loop over the gates would keep the sums in memory
    add(1);
    add(2);
    add(3);
  }
  const auto total = [&](std::size_t gate) { return sums[gate][0] + sums[gate][1] + sums[gate][2] + sums[gate][3]; };
  std::array<float, lstm_gate::count> totals{total(0), total(1), total(2), total(3)};
  for (; k < count; ++k) {
    const auto add_one = [&](std::size_t gate) { totals[gate] += load<float>(from, k) * load<float>(weights[gate] + begin, k); };
    add_one(0);
    add_one(1);
    add_one(2);
    add_one(3);
  }
  return totals;
}

constexpr auto clamp_to_int16(std::int32_t x) -> std::int16_t {
  return static_cast<std::int16_t>(quantized::bounds<std::int32_t>{-32768, 32767}.clamp(x));
}

/// The arithmetic of an integer LSTM, as in `lstm_eval.h` of TensorFlow Lite Micro. Arguments of gates are in Q3.12, results of gates in
/// Q0.15, and the cell state is int16. An argument is the sum of two terms, from the inputs and from the hidden state. The new cell state
/// is also a sum of two terms. Each term, each of these sums, and the new hidden state are clamped to their types.
template <class T>
struct integer_lstm {
  using element = T;
  using cell = std::int16_t;
  using sum = std::conditional_t<sizeof(T) == 1, std::int32_t, std::int64_t>;

  /// Whether `widen_inputs` first stores the inputs minus their zero point, in 16 bits, and `products` reads these numbers for all gates.
  /// True for int8.
  static constexpr bool widens_inputs = sizeof(T) == 1;
  static void widen_inputs(const char* from, std::int32_t zero_point, std::int32_t count, char* to) {
    widen_for_products(from, zero_point, count, to);
  }
  static auto products(const char* from, [[maybe_unused]] std::int32_t zero_point, const char* weights, std::int32_t count) -> sum {
    if constexpr (sizeof(T) == 1) return sum_of_products(from, weights, count);
    if constexpr (sizeof(T) != 1) return wide_sum_of_products(from, zero_point, weights, count);
  }
  static auto scale(sum x, quantized::fixed_multiplier multiplier) -> std::int32_t {
    if constexpr (sizeof(T) == 1) return quantized::requantize(x, multiplier);
    constexpr auto limit = (std::int64_t{1} << 47) - 1;  // exceeded only with large 64-bit biases; the reference has no rule for this case
    if constexpr (sizeof(T) != 1) return detail::requantize_wide(quantized::bounds<std::int64_t>{-limit, limit}.clamp(x), multiplier);
  }
  /// Returns the arguments of a unit's gate functions.
  [[gnu::always_inline]] static auto arguments(const lstm_plan& plan, std::int32_t unit, const char* from, const gate_rows& weights,
                                               const gate_rows& biases, const char* hidden, const gate_rows& recurrent)
      -> std::array<cell, lstm_gate::count> {
    const auto argument_of = [&](std::size_t gate) {
      return argument(plan, gate, from, weights[gate] + std::ptrdiff_t{unit} * plan.inputs,
                      biases[gate] + static_cast<std::ptrdiff_t>(sizeof(sum)) * unit, hidden,
                      recurrent[gate] + std::ptrdiff_t{unit} * plan.units);
    };
    return {argument_of(0), argument_of(1), argument_of(2), argument_of(3)};
  }
  [[gnu::always_inline]] static auto argument(const lstm_plan& plan, std::size_t gate, const char* from, const char* weights,
                                              const char* bias, const char* hidden, const char* recurrent) -> cell {
    const auto input_sum = products(from, plan.input_zero_point, weights, plan.inputs);
    return argument(plan, gate, input_sum, load<sum>(bias), products(hidden, plan.hidden_zero_point, recurrent, plan.units));
  }
  /// Returns the argument of a gate function, computed from the gate's sums of products.
  [[gnu::always_inline]] static auto argument(const lstm_plan& plan, std::size_t gate, sum input_sum, sum bias, sum hidden_sum) -> cell {
    using bits = std::make_unsigned_t<sum>;  // adding the bias may overflow; the sum then wraps
    const auto biased_sum = static_cast<sum>(static_cast<bits>(input_sum) + static_cast<bits>(bias));
    return clamp_to_int16(clamp_to_int16(scale(biased_sum, plan.gates[gate].input)) +
                          clamp_to_int16(scale(hidden_sum, plan.gates[gate].hidden)));
  }
  static auto logistic(cell x) -> cell { return quantized::logistic_of_int16(x, {}); }
  static auto tanh(cell x) -> cell { return quantized::tanh_of_int16(x, {}); }
  [[gnu::always_inline]] static auto next_cell(const lstm_plan& plan, cell before, cell forget, cell input, cell candidate) -> cell {
    const auto kept = clamp_to_int16(quantized::requantize(forget * before, plan.kept));
    const auto sum = clamp_to_int16(kept + clamp_to_int16(quantized::requantize(input * candidate, plan.added)));
    return plan.is_clipped != 0 ? static_cast<cell>(quantized::bounds<std::int32_t>{-plan.clip, plan.clip}.clamp(sum)) : sum;
  }
  [[gnu::always_inline]] static auto next_hidden(const lstm_plan& plan, cell state, cell output) -> T {
    const auto x = wrapping_sum(quantized::requantize(quantized::tanh_of_int16(state, plan.tanh_factor) * output, plan.hidden),
                                plan.hidden_zero_point);
    return static_cast<T>(quantized::bounds<std::int32_t>{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}.clamp(x));
  }
};

struct float_lstm {
  using element = float;
  using cell = float;
  using sum = float;

  static constexpr bool widens_inputs = false;
  static auto clamp_to_finite(float x) -> float { return quantized::float_bounds(quantized::activation::none).clamp(x); }
  /// Returns the arguments of a unit's gate functions.
  static auto arguments(const lstm_plan& plan, std::int32_t unit, const char* from, const gate_rows& weights, const gate_rows& biases,
                        const char* hidden, const gate_rows& recurrent) -> std::array<float, lstm_gate::count> {
    const auto input_sums = float_sums_of_products(from, weights, 4 * std::ptrdiff_t{unit} * plan.inputs, plan.inputs);
    const auto hidden_sums = float_sums_of_products(hidden, recurrent, 4 * std::ptrdiff_t{unit} * plan.units, plan.units);
    const auto argument_of = [&](std::size_t gate) {
      return clamp_to_finite(input_sums[gate] + load<float>(biases[gate], unit)) + clamp_to_finite(hidden_sums[gate]);
    };
    return {argument_of(0), argument_of(1), argument_of(2), argument_of(3)};
  }
  static auto logistic(float x) -> float { return 1.0f / (1.0f + machine::exp(-x)); }
  static auto tanh(float x) -> float { return machine::tanh(x); }
  static auto next_cell(const lstm_plan& plan, float before, float forget, float input, float candidate) -> float {
    const auto sum = clamp_to_finite(forget * before) + clamp_to_finite(input * candidate);
    return plan.is_clipped != 0 ? quantized::bounds<float>{-plan.float_clip, plan.float_clip}.clamp(sum) : sum;
  }
  static auto next_hidden(const lstm_plan&, float state, float output) -> float { return clamp_to_finite(tanh(state) * output); }
};

/// The units [`first`, `last`) of an LSTM.
struct unit_range {
  std::int32_t first = 0;
  std::int32_t last = 0;
};

/// Computes units of one time step of one sequence of the batch. The units of a time step must be computed in ascending order, with the
/// same scratch. All gates depend on the previous hidden state, which must not be overwritten before all units are computed. The new hidden
/// state is therefore written to the output first, and copied to the state after the last unit.
template <class Rule>
[[gnu::always_inline]] inline void step_lstm(const lstm_plan& plan, const node_memory& memory, const char* from, char* hidden, char* cell,
                                             char* to, unit_range units) {
  using element = typename Rule::element;
  using state = typename Rule::cell;
  const char* x = from;
  const char* before = hidden;
  if constexpr (Rule::widens_inputs) {
    char* const widened = memory.scratch.data();
    char* const widened_hidden = widened + 2 * std::ptrdiff_t{plan.inputs + gate_block};
    if (units.first == 0) {
      Rule::widen_inputs(from, plan.input_zero_point, plan.inputs, widened);
      Rule::widen_inputs(hidden, plan.hidden_zero_point, plan.units, widened_hidden);
    }
    x = widened;
    before = widened_hidden;
  }
  const auto rows = [&](std::size_t first) {
    return gate_rows{memory.inputs[first], memory.inputs[first + 1], memory.inputs[first + 2], memory.inputs[first + 3]};
  };
  const auto weights = rows(lstm_operand::weights);
  const auto biases = rows(lstm_operand::biases);
  const auto recurrent = rows(lstm_operand::recurrent);
  for (auto unit = units.first; unit < units.last; ++unit) {
    const auto arguments = Rule::arguments(plan, unit, x, weights, biases, before, recurrent);
    const auto input = Rule::logistic(arguments[lstm_gate::input]);
    const auto forget = Rule::logistic(arguments[lstm_gate::forget]);
    const auto candidate = Rule::tanh(arguments[lstm_gate::cell]);
    const auto output = Rule::logistic(arguments[lstm_gate::output]);
    const auto next = Rule::next_cell(plan, load<state>(cell, unit), forget, input, candidate);
    store(cell, unit, next);
    store(to, unit, Rule::next_hidden(plan, next, output));
  }
  if (units.last == plan.units) std::memcpy(hidden, to, sizeof(element) * static_cast<std::size_t>(plan.units));
}

/// Returns the number of chunks (see `kernel_facts::chunks`). A chunk is one unit of one time step of one sequence.
constexpr auto chunks_of(const lstm_plan& plan) -> std::int32_t { return plan.batches * plan.steps * plan.units; }

/// Computes the chunks [`first`, `last`). Chunk numbers continue from step to step, and from sequence to sequence of the batch.
template <class Rule>
[[gnu::always_inline]] inline void run_lstm(const lstm_plan& plan, const node_memory& memory, std::int32_t first, std::int32_t last) {
  constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(typename Rule::element));
  constexpr auto cell_bytes = static_cast<std::ptrdiff_t>(sizeof(typename Rule::cell));
  while (first < last) {
    const auto batch = first / plan.units / plan.steps;
    const auto time = first / plan.units % plan.steps;
    const std::ptrdiff_t row = plan.is_time_major != 0 ? time * plan.batches + batch : batch * plan.steps + time;
    const auto begin = first % plan.units;
    const auto end = std::min(plan.units, begin + last - first);
    step_lstm<Rule>(plan, memory, memory.inputs[lstm_operand::input] + bytes * row * plan.inputs,
                    memory.states[lstm_operand::hidden] + bytes * batch * plan.units,
                    memory.states[lstm_operand::cell] + cell_bytes * batch * plan.units, memory.outputs[0] + bytes * row * plan.units,
                    {begin, end});
    first += end - begin;
  }
}

/// The base of a kernel of an LSTM. `Kernel` has `compute_range(plan, memory, first, last)`, which computes the chunks [`first`, `last`).
template <class Kernel>
struct lstm_kernel {
  [[gnu::always_inline]] static void compute(const lstm_plan& plan, const node_memory& memory) {
    Kernel::compute_range(plan, memory, 0, chunks_of(plan));
  }
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    with_memory(call, [&](const node_memory& memory)
                          __attribute__((always_inline)) { Kernel::compute_range(node_plan<Kernel, Call>, memory, first, last); });
  }
};

/// A kernel that computes `tfl.unidirectional_sequence_lstm` on float32, or on int8 or int16 with int8 weights and an int16 cell state, all
/// quantized per tensor. The first axis is the batch or the time. The function of the cell gate is tanh. As in the reference, peepholes,
/// projection and layer normalization are not supported, and the option `proj_clip` is ignored. Numeric rules: `EvalLstm` of TensorFlow
/// Lite Micro (`micro/kernels/lstm_eval.h`).
struct lstm : lstm_kernel<lstm> {
  static constexpr literal_name operators[] = {"tfl.unidirectional_sequence_lstm"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::lstm_plan> {
    auto result = detail::describe_lstm(program, record);
    const auto& plan = result.plan;
    if (!result.support) return result;
    result.facts.chunks = detail::chunks_of(plan);
    if (plan.type == dtype::int8) {  // input and hidden state in 16 bits, each with an additional block (`gate_block`)
      result.facts.scratch_bytes = 2 * static_cast<std::uint32_t>(plan.inputs + plan.units + 2 * detail::gate_block);
    }
    return result;
  }
  [[gnu::always_inline]] static void compute_range(const detail::lstm_plan& plan, const node_memory& memory, std::int32_t first,
                                                   std::int32_t last) {
    if (plan.type == dtype::int8) return detail::run_lstm<detail::integer_lstm<std::int8_t>>(plan, memory, first, last);
    if (plan.type == dtype::int16) return detail::run_lstm<detail::integer_lstm<std::int16_t>>(plan, memory, first, last);
    detail::run_lstm<detail::float_lstm>(plan, memory, first, last);
  }
};
static_assert(kernel<lstm>);

}  // namespace detail

}  // namespace baton::portable
