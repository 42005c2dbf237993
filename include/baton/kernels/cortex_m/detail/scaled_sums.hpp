// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums of products that a layer computes times a power of two, and how such a sum becomes an output in a few instructions: exactly as the
// reference rounds it, twice (`portable::requantize`).
#pragma once

#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

using portable::bounds;

/// The sums of the weights of an output that are positive, and of those that are negative.
struct weight_sums {
  std::int32_t positive = 0;
  std::int32_t negative = 0;
};

/// Of `count` weights, which lie `step` bytes apart. A few steps each in a constant.
constexpr auto sum_weights(const char* weights, std::int32_t count, std::int32_t step = 1) -> weight_sums {
  std::int32_t all = 0;
  std::int32_t positive = 0;
  for (std::int32_t k = 0; k < count; ++k) {  // a pointer would leave the weights behind the last
    const std::int32_t weight = static_cast<signed char>(weights[k * step]);
    all += weight;
    positive += weight > 0 ? weight : 0;
  }
  return {positive, all - positive};
}
/// The most that any so many weights can come to.
constexpr auto most_weights(std::int32_t count) -> weight_sums { return {127 * count, -128 * count}; }

/// The interval that bias + Σ weight · (input − zero point) stays in, whatever the inputs are. Taps in the padding add 0, which lies
/// inside.
constexpr auto sum_bounds(std::int32_t bias, weight_sums weights, std::int32_t input_zero_point) -> bounds<std::int64_t> {
  const std::int64_t least = -128 - input_zero_point;
  const std::int64_t most = 127 - input_zero_point;
  return {bias + weights.positive * least + weights.negative * most, bias + weights.positive * most + weights.negative * least};
}
constexpr auto magnitude_of(bounds<std::int64_t> sums) -> std::int64_t { return -sums.lower > sums.upper ? -sums.lower : sums.upper; }

/// A channel's outputs: what its sum is multiplied with, and where outputs lie.
struct channel_rule {
  std::int32_t value = 0;  ///< of the fixed multiplier
  std::int32_t right = 1;  ///< its right shift; a left shift is negative
  std::int32_t zero_point = 0;
  bounds<std::int32_t> range{-128, 127};

  /// Whether nothing that a negative sum is rounded to can be seen: then the correction of `requantize_scaled` has no effect, for of two
  /// results of a tie none is above the zero point.
  constexpr auto hides_negative() const -> bool { return range.lower >= zero_point; }
};

/// The output of a sum. Sums are not shifted out: of the interval's ends, what `fits` has found right.
constexpr auto output_of(std::int32_t sum, const channel_rule& rule) -> std::int32_t {
  return rule.range.clamp(portable::requantize(sum, {rule.value, -rule.right}) + rule.zero_point);
}

/// Where all sums of a channel give one output, that output; else `varies`. Requantization never falls where the multiplier is not
/// negative, so that the ends of the interval tell.
inline constexpr std::int32_t varies = 1000;
constexpr auto constant_output(bounds<std::int64_t> sums, const channel_rule& rule) -> std::int32_t {
  const bool is_plain = rule.value >= 0 && rule.right >= 1 && rule.right <= 31 && magnitude_of(sums) < INT32_MAX;
  if (!is_plain) return varies;
  const auto least = output_of(static_cast<std::int32_t>(sums.lower), rule);
  return least == output_of(static_cast<std::int32_t>(sums.upper), rule) ? least : varies;
}

/// What makes outputs of sums that are scaled by 2^j, j at least 2: see `requantize_scaled`.
struct scaled_requantization {
  std::int32_t multiplier = 0;
  std::int32_t offset = 0;
  std::int32_t shift = 1;  ///< to the right: `right` + j − 1

  constexpr auto operator==(const scaled_requantization&) const -> bool = default;
};

/// Floors of floors merge: y = floor((x·m + 2^30 + 2^(30+r) − 2^31 if x·m is negative) / 2^(31+r)), r the right shift. For x scaled by 2^j
/// all these constants are multiples of 2^32, which the high half of a product is; the zero point joins them. Without a right shift there
/// is one rounding, and nothing to subtract.
constexpr auto scaled_offset(const channel_rule& rule, std::int32_t j) -> std::int64_t {
  const auto shift = rule.right + j - 1;
  return (rule.right > 0 ? std::int64_t{1} << (j - 2) : std::int64_t{0}) + (std::int64_t{1} << (shift - 1)) +
         rule.zero_point * (std::int64_t{1} << shift);
}
constexpr auto scaled_by(const channel_rule& rule, std::int32_t j) -> scaled_requantization {
  return {rule.value, static_cast<std::int32_t>(scaled_offset(rule, j)), rule.right + j - 1};
}
/// What makes one output of every sum.
constexpr auto scaled_constant(std::int32_t output, std::int32_t shift) -> scaled_requantization {
  return {0, static_cast<std::int32_t>(output * (std::int64_t{1} << shift)), shift};
}

/// Whether sums within these bounds, scaled by 2^j, give outputs exactly by `requantize_scaled`: the scaled sum and every number between it
/// and the output then fit 32 bits.
constexpr auto fits_scaled(bounds<std::int64_t> sums, const channel_rule& rule, std::int32_t j) -> bool {
  const auto shift = rule.right + j - 1;
  if (rule.value < 0 || j < 2 || shift < 1 || shift > 31 || rule.right > 30) return false;
  const auto most = magnitude_of(sums);
  if (most >= std::int64_t{1} << (31 - j)) return false;
  const auto offset = scaled_offset(rule, j);
  const auto high = ((most << j) * rule.value >> 32) + 1 + (std::int64_t{1} << (j - 1));
  return (offset < 0 ? -offset : offset) + high < std::int64_t{1} << 31;
}

/// What is subtracted for a negative sum so that ties go away from zero: nothing where there is no right shift.
constexpr auto correction_of(std::int32_t scaled, std::int32_t right, std::int32_t j) -> std::int32_t {
  return right > 0 && scaled < 0 ? -(1 << (j - 1)) : 0;
}

/// The output of a scaled sum, before the activation's bounds cut it: the high half of a product with a constant added (SMMLA), the
/// correction of negative sums where they can be seen, and a shift that saturates to 8 bits (SSAT).
[[gnu::always_inline]] constexpr auto requantize_scaled(std::int32_t scaled, const scaled_requantization& by, std::int32_t correction)
    -> std::int32_t {
  return ssat8((smmla(scaled, by.multiplier, by.offset) + correction) >> by.shift);
}

}  // namespace baton::cortex_m::detail
