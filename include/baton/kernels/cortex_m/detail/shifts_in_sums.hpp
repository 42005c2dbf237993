// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Scaled sums whose low byte is the number of bits by which requantization shifts to the right (`scaled_requantization::shift`). The stream
// of packed constants (`streams.hpp`) then needs no word for the shift.
#pragma once

#include <baton/kernels/cortex_m/detail/equal_remainders.hpp>
#include <baton/kernels/cortex_m/detail/modular_walk.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Returns the interval of remainders (`channel_requantization::remainder`) that lead to the outputs of `rule`. The remainder of a float32
/// bias is already such an interval. Without a float32 bias, requantization adds 2^(30 + `rule.right`) and the remainder. The remainder is
/// 2^30 if `rule` rounds twice and shifts to the right, otherwise 0. For negative sums, the correction (`correction_of`) is equivalent to
/// subtracting 2^31 from this remainder. If `rule.hides_negative_rounding()`, the correction is ignored. If not, the result is the
/// intersection of two intervals. The first interval is for the outputs up to the zero point (negative sums). The second interval is for
/// the outputs above the zero point (other sums).
constexpr auto all_remainders(const channel_requantization& rule) -> quantized::bounds<std::int64_t> {
  constexpr auto half = std::int64_t{1} << 30;
  if (rule.has_remainder()) return rule.remainder;
  auto above = rule;
  if (!rule.rounds_once() && rule.right > 0) above.remainder = {half, half};
  if (rule.hides_negative_rounding()) return with_any_remainder(above).remainder;
  auto below = rule;
  above.range.lower = std::max(rule.range.lower, rule.zero_point);
  below.range.upper = std::min(rule.range.upper, rule.zero_point);
  below.remainder = {-half, -half};
  above = with_any_remainder(above);
  below = with_any_remainder(below);
  return {std::max(above.remainder.lower, below.remainder.lower + 2 * half),
          std::min(above.remainder.upper, below.remainder.upper + 2 * half)};
}

/// Returns the nudge and the offset (`scaled_start`) of sums that are scaled by 2^`packed_bits`. The low byte of the nudge is the right
/// shift of the scaled sums (`scaled_requantization::shift`). This shift is also the low byte of each sum, because products are multiples
/// of 2^`packed_bits`. Of the nudges that are tried, returns the one closest to 0. `is_found` is false if the magnitude of the nudge would
/// exceed 2^22, or if the nudge could change the sign of a sum whose output may depend on the correction. `is_found` is also false if the
/// multiplier, shift or remainder is unsupported, or if an intermediate result of `requantize_scaled` does not fit 32 bits.
constexpr auto start_with_shift(quantized::bounds<std::int64_t> sums, const channel_requantization& rule) -> scaled_start {
  constexpr scaled_start none{.is_found = false};
  constexpr auto modulus = std::int64_t{1} << 32;
  constexpr auto unit = std::int64_t{1} << packed_bits;
  constexpr std::int64_t count = 1 << 14;
  const auto shift = rule.right + packed_bits - 1;
  if (rule.value <= 0 || shift < 1 || shift > 31 || (rule.has_remainder() && !is_small_remainder(rule.remainder))) return none;
  const auto remainders = all_remainders(rule);
  const auto lowest = ((std::int64_t{1} << (30 + rule.right)) + remainders.lower) * unit;
  const auto width = (remainders.upper - remainders.lower + 1) * unit - 1;
  const auto nearest = [&](std::int64_t first, std::int64_t by) {
    const auto start = static_cast<std::int64_t>(static_cast<std::uint32_t>(first * rule.value - lowest));
    const auto step = static_cast<std::int64_t>(static_cast<std::uint32_t>(-by * rule.value));
    const auto at = first_at_most({start, step, modulus, count}, width);
    return at.value > width ? std::int64_t{INT32_MAX} : first + at.index * by;
  };
  auto nudge = nearest(shift, unit);
  // A negative nudge could make a sum negative. Some routines correct negative sums even if `rule.hides_negative_rounding()`. So no
  // negative nudge is tried if `rule` hides negative rounding and rounds twice. For rules that do not hide negative rounding, the check
  // below suffices.
  if (rule.rounds_once() || !rule.hides_negative_rounding()) {
    const auto other = nearest(shift - unit, -unit);
    if (-other < nudge && other != INT32_MAX) nudge = other;
  }
  if (nudge == INT32_MAX) return none;
  const auto size = nudge < 0 ? -nudge : nudge;
  // If the nudge changes the sign of a sum, the output of this sum must be the zero point, with and without the correction.
  if (!rule.hides_negative_rounding() && (size / unit + 2) * rule.value + modulus / 2 >= std::int64_t{1} << (30 + rule.right)) return none;
  const auto addend = lowest + static_cast<std::int64_t>(static_cast<std::uint32_t>(nudge * rule.value - lowest)) - nudge * rule.value;
  const scaled_start start{static_cast<std::int32_t>(nudge), addend / modulus + rule.zero_point * (std::int64_t{1} << shift)};
  return fits_started(sums, rule, packed_bits, start) ? start : none;
}

/// Returns the parameters of `requantize_scaled` for sums whose low byte is the shift. `start_with_shift` must have found a nudge.
constexpr auto scaled_with_shift(quantized::bounds<std::int64_t> sums, const channel_requantization& rule) -> scaled_requantization {
  const auto start = start_with_shift(sums, rule);
  return {rule.value, static_cast<std::int32_t>(start.offset), rule.right + packed_bits - 1, start.nudge};
}

}  // namespace baton::cortex_m::detail
