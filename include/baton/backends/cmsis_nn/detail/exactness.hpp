// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The conditions under which results of CMSIS-NN (the library) and of the portable kernels are bit-identical: sizes fit 16 bits, and no
// 32-bit number overflows.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/requantization.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cmsis_nn::detail {

/// The maximum of a size or stride. The library stores sizes, strides and some positions in 16 bits.
inline constexpr std::int32_t max_size = INT16_MAX;

/// True if the library scales numbers with a magnitude up to `max_magnitude` as the portable kernels do. The numbers must fit 32 bits. If
/// the factor's shift is positive (a left shift), the shifted numbers must also fit 32 bits. The library does not support right shifts by
/// 31 bits. A factor with this shift is exact only if it scales all numbers to 0; `library_factor` replaces it with the factor 0.
constexpr auto is_exact(quantized::fixed_multiplier multiplier, std::int64_t max_magnitude) -> bool {
  if (multiplier.value < 0 || multiplier.shift > 30 || multiplier.shift < -31) return false;
  if (multiplier.shift == -31) return ((max_magnitude * multiplier.value) >> 31) + 1 < std::int64_t{1} << 30;
  return (multiplier.shift <= 0 ? max_magnitude : max_magnitude << multiplier.shift) <= INT32_MAX;
}
/// Returns an exact factor as the library expects it. A factor with a right shift by 31 bits becomes the factor 0, because it scales every
/// number to 0.
constexpr auto library_factor(quantized::fixed_multiplier multiplier) -> quantized::fixed_multiplier {
  if (multiplier.shift < -30) return {0, -1};
  return multiplier;
}

/// True if all sizes along one axis fit 16 bits: input, output, filter (with and without dilation), stride and padding.
template <class Axis>
constexpr auto fits_16_bits(const Axis& axis) -> bool {
  return axis.input <= max_size && axis.output <= max_size && axis.filter <= max_size && axis.stride <= max_size &&
         axis.before <= max_size && std::int64_t{axis.filter} * axis.dilation <= max_size;
}

/// Checks that the library computes an int8 layer exactly. `layer` is the portable kernel's plan of the layer. `products` is the number of
/// products per output.
template <class Layer>
constexpr auto check_layer(const program_view& program, const node& record, const Layer& layer, std::int64_t products) -> verdict {
  const auto type_of = [&](value_id id) { return program[id].type; };
  const auto operands = program.inputs(record);
  if (type_of(operands[0]) != dtype::int8 || type_of(operands[1]) != dtype::int8) return refuse("input and weights are not both int8");
  const auto kind = program[operands[1]].kind;
  if (!is_owned_data(kind) || kind == value_kind::mutable_buffer) return refuse("weights are not a constant");
  if (!fits_16_bits(layer.rows) || !fits_16_bits(layer.columns) || layer.in_channels > UINT16_MAX || layer.out.channels > UINT16_MAX)
    return refuse("a size does not fit 16 bits");
  if (products > UINT16_MAX) return refuse("an output is a sum of ", products, " products; the maximum is ", UINT16_MAX);
  const std::int64_t max_input =
      layer.out.input_zero_point < 0 ? INT8_MAX - layer.out.input_zero_point : layer.out.input_zero_point - INT8_MIN;
  for (std::int32_t channel = 0; channel < layer.out.channels; ++channel) {
    const auto at = static_cast<std::size_t>(channel);
    const std::int64_t bias = layer.numbers.bias_of(at);
    const auto max_sum = products * max_input * -INT8_MIN + (bias < 0 ? -bias : bias);
    if (!is_exact(layer.numbers.factor_of(at), max_sum))
      return refuse("channel ", channel, " has a factor that is negative or out of range, or sums that do not fit 32 bits");
  }
  return accept();
}

}  // namespace baton::cmsis_nn::detail
