// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The output channels of an int8 layer: multipliers, biases, and the bounds of their sums for arbitrary weights.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

using portable::detail::has_constant_weights;

/// A float32 bias: its integer part in the unit of the sum, and the rest in the unit of sum · multiplier.
struct divided_bias {
  std::int32_t whole = 0;
  std::int64_t rest = 0;
};

/// The multipliers and biases of a layer's output channels, and the zero point, range and rounding of the output.
struct channel_numbers : portable::detail::channel_numbers {
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};
  quantized::rounding round = quantized::rounding::twice;
  bool has_real_bias = false;  ///< whether the biases are float32

  /// Returns the 32-bit bias of a channel, or the integer part of its float32 bias.
  constexpr auto bias_of(std::size_t channel) const -> std::int32_t {
    return has_real_bias ? divide_bias(channel).whole : portable::detail::channel_numbers::bias_of(channel);
  }
  /// True if all channels have the same requantization.
  constexpr auto has_one_rule() const -> bool { return has_one_scale() && !has_real_bias; }
  /// Returns the requantization of a channel, which includes the rest of a float32 bias.
  constexpr auto rule_of(std::size_t channel) const -> channel_rule {
    const auto by = factor_of(channel);
    if (!has_real_bias) return {by.value, -by.shift, zero_point, range, round};
    const auto rest = divide_bias(channel).rest;
    return with_equal_rests({by.value, -by.shift, zero_point, range, round, {rest, rest}});
  }

 private:
  /// Returns the float32 bias of a channel. The integer part is limited to 2^30, so that sums with it do not overflow. If the multiplier is
  /// 0, the whole bias is the rest.
  constexpr auto divide_bias(std::size_t channel) const -> divided_bias {
    const auto by = factor_of(channel);
    const auto addend = addend_of(channel) - (std::int64_t{1} << (30 - by.shift));
    if (by.value == 0) return {0, addend};
    const std::int64_t half = (by.value < 0 ? -std::int64_t{by.value} : std::int64_t{by.value}) / 2;
    const quantized::bounds<std::int64_t> limits{-(1 << 30), 1 << 30};
    const auto whole = limits.clamp((addend + (addend < 0 ? -half : half)) / by.value);
    return {static_cast<std::int32_t>(whole), addend - whole * by.value};
  }
};

/// True if the Cortex-M kernels support the types of a layer.
constexpr auto is_supported(portable::arithmetic by) -> bool {
  return by == portable::arithmetic::int8 || by == portable::arithmetic::int8_with_real_bias;
}

constexpr auto refuse_bias(std::int32_t channel) -> verdict {
  return refuse("no initial sum and offset of 32 bits have the same outputs as the float32 bias of channel ", channel);
}

constexpr auto numbers_of(const program_view& program, const node& record, const portable::channel_output& out,
                          portable::channel_scaling scaling) -> channel_numbers {
  const auto operands = program.inputs(record);
  const bool has_real_bias = operands.size() > 2 && operands[2] != none<value_id> && program[operands[2]].type == dtype::float32;
  return {portable::detail::numbers_of(program, record, scaling), out.zero_point, out.range, out.round, has_real_bias};
}

/// Returns an interval that contains the sums of all channels, for arbitrary weights and inputs. The interval depends only on the number of
/// products, the biases and the input's zero point.
constexpr auto bounds_of_sums(const channel_numbers& numbers, const portable::channel_output& out, std::int32_t products)
    -> quantized::bounds<std::int64_t> {
  quantized::bounds<std::int64_t> biases;
  for (std::int32_t c = 0; c < out.channels; ++c) {
    const std::int64_t bias = numbers.bias_of(static_cast<std::size_t>(c));
    biases = {std::min(biases.lower, bias), std::max(biases.upper, bias)};
  }
  const auto sums = sum_bounds(0, max_weights(products), out.input_zero_point);
  return {sums.lower + biases.lower, sums.upper + biases.upper};
}

}  // namespace baton::cortex_m::detail
