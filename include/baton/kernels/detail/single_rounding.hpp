// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The condition under which the two roundings of `requantize_right` equal a single rounding. A single rounding needs only the high half of
// a product, so that targets with vectors can requantize several channels in one step.
#pragma once

#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::portable::detail {

// Let m be a multiplier that is 0 or at least 2^30, r a right shift, and x a sum with its bias. [c] is 1 if c holds, otherwise 0. The two
// roundings
//   t = floor((x·m + 2^30) / 2^31)
//   y = floor((t − [t < 0] + 2^(r − 1)) / 2^r)
// equal a single one:
//   y = floor((4·x·m + 2^32·(1 + 2^r − 2·[x < 0])) / 2^(33 + r))
// The addends in this numerator are multiples of 2^32, so the high half of the product 4·x·m suffices:
//   y = floor((floor(4·x·m / 2^32) + 1 + 2^r − 2·[x < 0]) / 2^(r + 1))
// The single rounding tests x < 0 instead of t < 0. The tests differ only if m = 0, or if m = 2^30 and x = −1. In these cases, both
// formulas yield y = 0.
//
// For outputs that are rounded once (`requantize_once`), the formula is the same without the corrections 1 and −2·[x < 0].

/// The exclusive bound of the magnitude of a sum with its bias. Below this bound, and with right shifts up to `max_right`, 4·x and the
/// numerator of the last formula fit 32 bits.
inline constexpr std::int64_t max_sum = std::int64_t{1} << 28;
inline constexpr std::int32_t max_right = 28;

/// True if a single rounding suffices for a channel with multiplier `value` and right shift `right`. `magnitude` is the maximum magnitude
/// of the channel's sums without bias.
constexpr auto has_single_rounding(std::int32_t value, std::int32_t right, std::int64_t magnitude, std::int64_t bias = 0) -> bool {
  return value >= 0 && right >= 1 && right <= max_right && magnitude + (bias < 0 ? -bias : bias) < max_sum;
}

/// True if the term 2·[x < 0], which rounds negative ties away from zero, can affect the output. The term cannot affect the output if
/// `range` contains no values below the zero point.
constexpr auto corrects_ties(std::int32_t zero_point, quantized::bounds<std::int32_t> range) -> bool { return range.lower < zero_point; }

/// Returns the maximum magnitude of a sum of `products` products, for any weights. In the worst case, every input and every weight has its
/// maximum magnitude.
constexpr auto largest_sum(std::int64_t products, std::int32_t input_zero_point) -> std::int64_t {
  const std::int64_t input = input_zero_point < 0 ? INT8_MAX - input_zero_point : input_zero_point - INT8_MIN;
  return products * input * -INT8_MIN;
}

}  // namespace baton::portable::detail
