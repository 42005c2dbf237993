// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// When the library computes what the reference does: within its 16-bit sizes, and where no 32-bit number of it overflows.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/requantization.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cmsis_nn::detail {

/// The library holds sizes, steps and some positions in 16 bits.
inline constexpr std::int32_t most_size = INT16_MAX;

/// Whether a number of that magnitude, scaled by the library, is the reference's: it is not saturated, what is shifted left has room, and
/// a shift right by 31 bits, for which the library's masks have no room, leaves nothing but 0.
constexpr auto is_exact(portable::fixed_multiplier by, std::int64_t most) -> bool {
  if (by.value < 0 || by.shift > 30 || by.shift < -31) return false;
  if (by.shift == -31) return ((most * by.value) >> 31) + 1 < std::int64_t{1} << 30;
  return (by.shift <= 0 ? most : most << by.shift) <= INT32_MAX;
}
/// Such a factor as the library takes it: one that leaves nothing but 0 is 0.
constexpr auto settled(portable::fixed_multiplier by) -> portable::fixed_multiplier {
  if (by.shift < -30) return {0, -1};
  return by;
}

/// Whether a window's sizes fit.
template <class Axis>
constexpr auto fits_16_bits(const Axis& axis) -> bool {
  return axis.input <= most_size && axis.output <= most_size && axis.filter <= most_size && axis.stride <= most_size &&
         axis.before <= most_size && std::int64_t{axis.filter} * axis.dilation <= most_size;
}

/// Demands of a described int8 layer that the library computes it to the byte. `products` make one output.
template <class Layer>
constexpr auto check_layer(const program_view& program, const node& record, const Layer& of, std::int64_t products) -> verdict {
  const auto type_of = [&](value_id id) { return program[id].type; };
  const auto operands = program.inputs(record);
  if (type_of(operands[0]) != dtype::int8 || type_of(operands[1]) != dtype::int8) return refuse("types are not int8 with int8 weights");
  const auto kind = program[operands[1]].kind;
  if (!is_owned_data(kind) || kind == value_kind::mutable_buffer) return refuse("weights are no constant");
  if (!fits_16_bits(of.rows) || !fits_16_bits(of.columns) || of.in_channels > UINT16_MAX || of.out.channels > UINT16_MAX)
    return refuse("a size is over 16 bits");
  if (products > UINT16_MAX) return refuse("an output of ", products, " products, more than 16 bits count");
  const std::int64_t farthest = of.out.input_zero_point < 0 ? INT8_MAX - of.out.input_zero_point : of.out.input_zero_point - INT8_MIN;
  for (std::int32_t channel = 0; channel < of.out.channels; ++channel) {
    const auto at = static_cast<std::size_t>(channel);
    const std::int64_t bias = of.numbers.bias_of(at);
    const auto most = products * farthest * -INT8_MIN + (bias < 0 ? -bias : bias);
    if (!is_exact(of.numbers.factor_of(at), most))
      return refuse("channel ", channel, " has a factor that is negative or out of range, or sums beyond 32 bits");
  }
  return accept();
}

}  // namespace baton::cmsis_nn::detail
