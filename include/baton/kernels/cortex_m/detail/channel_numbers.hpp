// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The output channels of an int8 layer: multipliers, biases, and the bounds of their sums for arbitrary weights.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

using portable::detail::has_constant_weights;

/// The multipliers and biases of a layer's output channels, and the zero point, range and rounding of the output.
struct channel_numbers : portable::detail::channel_numbers {
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};
  quantized::rounding round = quantized::rounding::twice;

  /// Returns the requantization of a channel.
  constexpr auto rule_of(std::size_t channel) const -> channel_rule {
    const auto by = factor_of(channel);
    return {by.value, -by.shift, zero_point, range, round};
  }
};

constexpr auto numbers_of(const program_view& program, const node& record, const portable::channel_output& out,
                          portable::channel_scaling scaling) -> channel_numbers {
  return {portable::detail::numbers_of(program, record, scaling), out.zero_point, out.range, out.round};
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
