// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// int8 LSTM for a Cortex-M with the DSP extension. One loop sums the products of all four gates, two products per instruction.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/portable/recurrent.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// The arithmetic of the LSTM on a Cortex-M. Inputs are stored as halfwords, after subtraction of the zero point. Each group of four inputs
/// is stored in the order 0, 2, 1, 3, because SXTB16 unpacks four weights in this order. The inputs after the last complete group are
/// stored in ascending order.
struct int8_lstm : portable::detail::integer_lstm<std::int8_t> {
  using gate_rows = portable::detail::gate_rows;

  static auto prepare_inputs(const char* from, std::int32_t zero_point, std::int32_t count, char* to) -> const char* {
    const auto zero_points = halfwords(zero_point, zero_point);
    const auto fours = count / 4 * 4;
    for (std::int32_t k = 0; k < fours; k += 4) {
      const auto four = portable::load<std::uint32_t>(from + k);
      portable::store(to + 2 * std::ptrdiff_t{k}, 0, ssub16(sxtb16(four), zero_points));
      portable::store(to + 2 * std::ptrdiff_t{k}, 1, ssub16(sxtb16_ror8(four), zero_points));
    }
    for (auto k = fours; k < count; ++k)
      portable::store(to, k, static_cast<std::int16_t>(portable::load<std::int8_t>(from, k) - zero_point));
    return to;
  }

  static auto arguments(const portable::detail::lstm_plan& plan, std::int32_t unit, const char* from, const gate_rows& weights,
                        const gate_rows& biases, const char* hidden, const gate_rows& recurrent) -> std::array<cell, 4> {
    const auto input_sums = sums(from, weights, std::ptrdiff_t{unit} * plan.inputs, plan.inputs);
    const auto hidden_sums = sums(hidden, recurrent, std::ptrdiff_t{unit} * plan.units, plan.units);
    const auto gate_argument = [&](std::size_t gate) {
      return argument(plan, gate, input_sums[gate], portable::load<sum>(biases[gate], unit), hidden_sums[gate]);
    };
    return {gate_argument(0), gate_argument(1), gate_argument(2), gate_argument(3)};
  }

 private:
  /// Returns the dot products of the inputs with one row of each gate's weights. The row starts `begin` bytes into each gate's weights. The
  /// gates share the loads of the inputs.
  [[gnu::noinline]] static auto sums(const char* from, const gate_rows& weights, std::ptrdiff_t begin, std::int32_t count)
      -> std::array<sum, 4> {
    const char* const rows[] = {weights[0] + begin, weights[1] + begin, weights[2] + begin, weights[3] + begin};
    std::int32_t totals[4] = {};
    std::int32_t k = 0;
    for (; k + 4 <= count; k += 4) {
      const auto even = portable::load<std::uint32_t>(from + 2 * std::ptrdiff_t{k});
      const auto odd = portable::load<std::uint32_t>(from + 2 * std::ptrdiff_t{k}, 1);
      const auto add = [&](std::size_t gate) {
        const auto four = portable::load<std::uint32_t>(rows[gate] + k);
        totals[gate] = smlad(odd, sxtb16_ror8(four), smlad(even, sxtb16(four), totals[gate]));
      };
      add(0);  // four calls, because compilers would keep the sums of a loop in memory
      add(1);
      add(2);
      add(3);
    }
    for (; k < count; ++k) {
      for (std::size_t gate = 0; gate < 4; ++gate)
        totals[gate] += portable::load<std::int16_t>(from, k) * portable::load<std::int8_t>(rows[gate], k);
    }
    return {totals[0], totals[1], totals[2], totals[3]};
  }
};

/// A kernel that computes `tfl.unidirectional_sequence_lstm` on int8. Reads the weights of the model without packing them. Other
/// requirements are the same as for `portable::lstm`. Results are bit-identical to `portable::lstm`.
template <options Options = options{}>
struct lstm {
  static constexpr literal_name operators[] = {"tfl.unidirectional_sequence_lstm"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<portable::detail::lstm_plan> {
    auto result = portable::detail::lstm::describe(program, record);
    if (result.support && result.plan.type != dtype::int8) result.support = refuse("the Cortex-M kernel of an LSTM supports only int8");
    return result;
  }
  [[gnu::always_inline]] static void compute(const portable::detail::lstm_plan& plan, const node_memory& memory) {
    portable::detail::run_lstm<detail::int8_lstm>(plan, memory);
  }
};
static_assert(kernel<lstm<>>);

}  // namespace detail

}  // namespace baton::cortex_m
