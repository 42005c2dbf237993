// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An LSTM on int8 for a Cortex-M with the DSP extension: the sums of all gates at once, two products an instruction.
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

/// Inputs less their zero point lie as halfwords, of four the first and the third, then the second and the fourth, as bytes of weights are
/// unpacked; what is left over of four lies in order.
struct int8_lstm : portable::detail::integer_lstm<std::int8_t> {
  using gate_rows = portable::detail::gate_rows;

  static auto ready(const char* from, std::int32_t zero_point, std::int32_t count, char* to) -> const char* {
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
    const auto of_input = sums(from, weights, std::ptrdiff_t{unit} * plan.inputs, plan.inputs);
    const auto of_hidden = sums(hidden, recurrent, std::ptrdiff_t{unit} * plan.units, plan.units);
    const auto of = [&](std::size_t gate) {
      return argument(plan, gate, of_input[gate], portable::load<sum>(biases[gate], unit), of_hidden[gate]);
    };
    return {of(0), of(1), of(2), of(3)};
  }

 private:
  /// With a row of each gate, which begins so many bytes behind the first; the gates share what is multiplied.
  [[gnu::noinline]] static auto sums(const char* from, const gate_rows& weights, std::ptrdiff_t begin, std::int32_t count)
      -> std::array<sum, 4> {
    const char* const rows[] = {weights[0] + begin, weights[1] + begin, weights[2] + begin, weights[3] + begin};
    std::int32_t made[4] = {};
    std::int32_t k = 0;
    for (; k + 4 <= count; k += 4) {
      const auto even = portable::load<std::uint32_t>(from + 2 * std::ptrdiff_t{k});
      const auto odd = portable::load<std::uint32_t>(from + 2 * std::ptrdiff_t{k}, 1);
      const auto add = [&](std::size_t gate) {
        const auto four = portable::load<std::uint32_t>(rows[gate] + k);
        made[gate] = smlad(odd, sxtb16_ror8(four), smlad(even, sxtb16(four), made[gate]));
      };
      add(0);  // a loop over the gates would leave the sums in memory
      add(1);
      add(2);
      add(3);
    }
    for (; k < count; ++k) {
      for (std::size_t gate = 0; gate < 4; ++gate)
        made[gate] += portable::load<std::int16_t>(from, k) * portable::load<std::int8_t>(rows[gate], k);
    }
    return {made[0], made[1], made[2], made[3]};
  }
};

/// `tfl.unidirectional_sequence_lstm` on int8; what it takes otherwise, and numeric rules: `portable::lstm`, to the byte. Weights are those
/// of the file.
template <options Options = options{}>
struct lstm {
  static constexpr literal_name operators[] = {"tfl.unidirectional_sequence_lstm"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<portable::detail::lstm_plan> {
    auto made = portable::detail::lstm::describe(program, record);
    if (made.support && made.plan.type != dtype::int8) made.support = refuse("the Cortex-M form of an LSTM is for int8");
    return made;
  }
  [[gnu::always_inline]] static void compute(const portable::detail::lstm_plan& plan, const node_memory& at) {
    portable::detail::run_lstm<detail::int8_lstm>(plan, at);
  }
};
static_assert(kernel<lstm<>>);

}  // namespace detail

}  // namespace baton::cortex_m
