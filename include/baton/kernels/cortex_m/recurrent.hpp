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
#include <baton/kernels/cortex_m/detail/row_products.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/portable/recurrent.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// The arithmetic of the LSTM on a Cortex-M (see `row_products.hpp`).
struct int8_lstm : portable::detail::integer_lstm<std::int8_t> {
  using gate_rows = portable::detail::gate_rows;

  static void widen_inputs(const char* from, std::int32_t zero_point, std::int32_t count, char* to) {
    expand_int8(from, zero_point, count, to);
  }

  static auto arguments(const portable::detail::lstm_plan& plan, std::int32_t unit, const char* from, const gate_rows& weights,
                        const gate_rows& biases, const char* hidden, const gate_rows& recurrent) -> std::array<cell, 4> {
    // The gates share the loads of the inputs.
    const auto sums_of = [unit](const char* inputs, const gate_rows& first, std::int32_t count) {
      const auto begin = std::ptrdiff_t{unit} * count;
      return sums_of_rows(inputs, first[0] + begin, first[1] + begin, first[2] + begin, first[3] + begin, count);
    };
    const auto input_sums = sums_of(from, weights, plan.inputs);
    const auto hidden_sums = sums_of(hidden, recurrent, plan.units);
    const auto gate_argument = [&](std::size_t gate) {
      return argument(plan, gate, input_sums[gate], portable::load<sum>(biases[gate], unit), hidden_sums[gate]);
    };
    return {gate_argument(0), gate_argument(1), gate_argument(2), gate_argument(3)};
  }
};

/// A kernel that computes `tfl.unidirectional_sequence_lstm` on int8. Reads the weights of the model without packing them. Other
/// requirements are the same as for `portable::detail::lstm`. Results are bit-identical to `portable::detail::lstm`.
template <options Options = options{}>
struct lstm : portable::detail::lstm_kernel<lstm<Options>> {
  static constexpr literal_name operators[] = {"tfl.unidirectional_sequence_lstm"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<portable::detail::lstm_plan> {
    auto result = portable::detail::lstm::describe(program, record);
    if (result.support && result.plan.type != dtype::int8) result.support = refuse("the Cortex-M kernel of an LSTM supports only int8");
    return result;
  }
  [[gnu::always_inline]] static void compute_range(const portable::detail::lstm_plan& plan, const node_memory& memory, std::int32_t first,
                                                   std::int32_t last) {
    portable::detail::run_lstm<detail::int8_lstm>(plan, memory, first, last);
  }
};
static_assert(kernel<lstm<>>);

}  // namespace detail

}  // namespace baton::cortex_m
