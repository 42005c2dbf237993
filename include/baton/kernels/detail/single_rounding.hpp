// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// When the two roundings of `requantize_right` are one, of which the high half of a product is enough: for machines that compute the
// outputs of several channels at once.
#pragma once

#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::portable::detail {

// With a multiplier m that is 0 or at least 2^30 and a right shift r, the two roundings of a sum x with its bias,
//   t = floor((x·m + 2^30) / 2^31), y = floor((t − [t < 0] + 2^(r − 1)) / 2^r),
// are one, y = floor((4·x·m + 2^32·(1 + 2^r − 2·[x < 0])) / 2^(33 + r)), whose addends are multiples of 2^32:
//   y = floor((floor(4·x·m / 2^32) + 1 + 2^r − 2·[x < 0]) / 2^(r + 1)).
// (x < 0 stands for t < 0: they differ for m = 0, and for m = 2^30 with x = −1, and there y is 0 either way.)

/// Sums with their bias are smaller, so that 4·x and what is added fit 32 bits.
inline constexpr std::int64_t max_sum = std::int64_t{1} << 28;
inline constexpr std::int32_t max_right = 28;

/// Whether one rounding does for a channel of this factor whose sums are no larger than `most` without their bias.
constexpr auto has_single_rounding(std::int32_t value, std::int32_t right, std::int64_t most, std::int64_t bias = 0) -> bool {
  return value >= 0 && right >= 1 && right <= max_right && most + (bias < 0 ? -bias : bias) < max_sum;
}

/// Whether it matters which way the ties of negative numbers are rounded, 2·[x < 0]: not where these are cut to the zero point.
constexpr auto has_ties(std::int32_t zero_point, bounds<std::int32_t> range) -> bool { return range.lower < zero_point; }

/// The largest sum of so many products, whatever the weights are: each of the largest input and the largest weight.
constexpr auto largest_sum(std::int64_t products, std::int32_t input_zero_point) -> std::int64_t {
  const std::int64_t input = input_zero_point < 0 ? INT8_MAX - input_zero_point : input_zero_point - INT8_MIN;
  return products * input * -INT8_MIN;
}

}  // namespace baton::portable::detail
