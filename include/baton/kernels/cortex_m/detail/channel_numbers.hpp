// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The output channels of an int8 layer: multipliers, biases, and the bounds of the channels' sums for arbitrary weights.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernels/cortex_m/detail/equal_remainders.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

using portable::detail::has_constant_weights;

/// The bias of a channel, and its requantization. A float32 bias is split: `bias` is its integer part, and `rule.remainder` is the
/// remainder.
struct channel_constants {
  std::int32_t bias = 0;
  channel_requantization rule{};
};

/// The multipliers and biases of a layer's output channels, and the zero point, range and rounding of the output.
struct channel_numbers : portable::detail::channel_numbers {
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};
  quantized::rounding round = quantized::rounding::twice;
  bool has_real_bias = false;  ///< whether the biases are float32
  /// An interval that contains the sums without bias, for arbitrary weights and inputs.
  quantized::bounds<std::int64_t> products{-(1 << 29), 1 << 29};

  /// True if all channels share one requantization: there is one scale, and the biases are not float32.
  constexpr auto has_one_rule() const -> bool { return has_one_scale() && !has_real_bias; }

  /// Returns the constants of a channel. The remainder of a float32 bias is an interval that contains only the exact remainder.
  constexpr auto plain_constants_of(std::size_t channel) const -> channel_constants {
    const auto factor = factor_of(channel);
    const channel_requantization rule{factor.value, -factor.shift, zero_point, range, round};
    if (has_real_bias) return divide_bias(addend_of(channel, factor) - (std::int64_t{1} << (30 - factor.shift)), rule);
    return {portable::detail::channel_numbers::bias_of(channel), rule};
  }
  /// Like `plain_constants_of`, but widens the remainder to the interval of all remainders that lead to the same outputs
  /// (`with_equal_remainders`). May replace the multiplier (`with_small_nudge`).
  constexpr auto constants_of(std::size_t channel) const -> channel_constants {
    auto result = plain_constants_of(channel);
    auto& rule = result.rule;
    if (!rule.has_remainder()) return result;
    rule.range = reached_range({result.bias + products.lower, result.bias + products.upper}, rule);
    rule = with_small_nudge(with_equal_remainders(rule));
    rule.range = range;
    return result;
  }
  constexpr auto bias_of(std::size_t channel) const -> std::int32_t {
    return has_real_bias ? plain_constants_of(channel).bias : portable::detail::channel_numbers::bias_of(channel);
  }
  constexpr auto rule_of(std::size_t channel) const -> channel_requantization { return constants_of(channel).rule; }

 private:
  /// Splits a float32 bias into an integer part and a remainder. `bias` has the scale of sum · multiplier. The integer part is clamped to
  /// [-2^30, 2^30], so that the sums do not overflow. If the multiplier is 0, the integer part is 0.
  static constexpr auto divide_bias(std::int64_t bias, channel_requantization rule) -> channel_constants {
    const std::int64_t half = rule.value < 0 ? -(std::int64_t{rule.value} / 2) : rule.value / 2;
    const auto nearest = rule.value == 0 ? 0 : (bias + (bias < 0 ? -half : half)) / rule.value;
    const auto whole = quantized::bounds<std::int64_t>{-(1 << 30), 1 << 30}.clamp(nearest);
    rule.remainder = {bias - whole * rule.value, bias - whole * rule.value};
    return {static_cast<std::int32_t>(whole), rule};
  }
};

/// True if the Cortex-M kernels support the types of a layer.
constexpr auto is_supported(portable::arithmetic by) -> bool {
  return by == portable::arithmetic::int8 || by == portable::arithmetic::int8_with_real_bias;
}

/// Returns the `channel_numbers` of a node. `products` is the number of products that are summed for an output.
constexpr auto numbers_of(const program_view& program, const node& record, const portable::channel_output& out, std::int32_t products,
                          portable::channel_scaling scaling) -> channel_numbers {
  const auto operands = program.inputs(record);
  const bool has_real_bias = operands.size() > 2 && operands[2] != none<value_id> && program[operands[2]].type == dtype::float32;
  return {portable::detail::numbers_of(program, record, scaling),    out.zero_point, out.range, out.round, has_real_bias,
          sum_bounds(0, max_weights(products), out.input_zero_point)};
}

/// Returns an interval that contains the sums of all channels, for arbitrary weights and inputs.
constexpr auto bounds_of_sums(const channel_numbers& numbers, std::int32_t channels) -> quantized::bounds<std::int64_t> {
  quantized::bounds<std::int64_t> biases;
  for (std::int32_t c = 0; c < channels; ++c) {
    const std::int64_t bias = numbers.bias_of(static_cast<std::size_t>(c));
    biases = {std::min(biases.lower, bias), std::max(biases.upper, bias)};
  }
  return {numbers.products.lower + biases.lower, numbers.products.upper + biases.upper};
}

}  // namespace baton::cortex_m::detail
