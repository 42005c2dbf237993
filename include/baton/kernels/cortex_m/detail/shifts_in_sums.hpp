// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums whose low byte is the right shift of their channel, so that the shift takes no word of the stream.
#pragma once

#include <baton/kernels/cortex_m/detail/equal_rests.hpp>
#include <baton/kernels/cortex_m/detail/modular_walk.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Returns all rests that lead to the outputs of `rule`. If `rule` rounds twice, the rests replace the first rounding, 2^30. Without a
/// correction, the outputs of negative sums may then differ, but only if `rule.hides_negative_rounding()`. With the correction, negative
/// sums have the addend minus 2^31. They decide the outputs up to the zero point, and other sums decide the outputs above it.
constexpr auto all_rests(const channel_requantization& rule) -> quantized::bounds<std::int64_t> {
  constexpr auto half = std::int64_t{1} << 30;
  if (rule.has_rest()) return rule.rest;
  auto above = rule;
  if (!rule.rounds_once() && rule.right > 0) above.rest = {half, half};
  if (rule.hides_negative_rounding()) return with_any_rest(above).rest;
  auto below = rule;
  above.range.lower = std::max(rule.range.lower, rule.zero_point);
  below.range.upper = std::min(rule.range.upper, rule.zero_point);
  below.rest = {-half, -half};
  above = with_any_rest(above);
  below = with_any_rest(below);
  return {std::max(above.rest.lower, below.rest.lower + 2 * half), std::min(above.rest.upper, below.rest.upper + 2 * half)};
}

/// Returns the start of sums that are scaled by 2^`packed_bits`, such that the low byte of the nudge, and so of each sum, is the right
/// shift. Of the smallest positive and the smallest negative nudge, takes the one closer to 0. `is_found` is false if the nudge would
/// exceed 2^22, if it could change the sign of a sum that the correction changes, or if a result does not fit 32 bits.
constexpr auto start_with_shift(quantized::bounds<std::int64_t> sums, const channel_requantization& rule) -> scaled_start {
  constexpr scaled_start none{.is_found = false};
  constexpr auto modulus = std::int64_t{1} << 32;
  constexpr auto unit = std::int64_t{1} << packed_bits;
  constexpr std::int64_t count = 1 << 14;
  const auto shift = rule.right + packed_bits - 1;
  if (rule.value <= 0 || shift < 1 || shift > 31 || (rule.has_rest() && !is_small_rest(rule.rest))) return none;
  const auto rests = all_rests(rule);
  const auto lowest = ((std::int64_t{1} << (30 + rule.right)) + rests.lower) * unit;
  const auto width = (rests.upper - rests.lower + 1) * unit - 1;
  const auto nearest = [&](std::int64_t first, std::int64_t by) {
    const auto start = static_cast<std::int64_t>(static_cast<std::uint32_t>(first * rule.value - lowest));
    const auto step = static_cast<std::int64_t>(static_cast<std::uint32_t>(-by * rule.value));
    const auto at = first_at_most({start, step, modulus, count}, width);
    return at.value > width ? std::int64_t{INT32_MAX} : first + at.index * by;
  };
  auto nudge = nearest(shift, unit);
  // If the negative rounding is hidden, some routines nevertheless correct negative sums. So no nudge may make a sum negative.
  if (rule.rounds_once() || !rule.hides_negative_rounding()) {
    const auto other = nearest(shift - unit, -unit);
    if (-other < nudge && other != INT32_MAX) nudge = other;
  }
  if (nudge == INT32_MAX) return none;
  const auto size = nudge < 0 ? -nudge : nudge;
  // The output of sums whose sign the nudge changes must be the zero point, with and without the correction.
  if (!rule.hides_negative_rounding() && (size / unit + 2) * rule.value + modulus / 2 >= std::int64_t{1} << (30 + rule.right)) return none;
  const auto addend = lowest + static_cast<std::int64_t>(static_cast<std::uint32_t>(nudge * rule.value - lowest)) - nudge * rule.value;
  const scaled_start start{static_cast<std::int32_t>(nudge), addend / modulus + rule.zero_point * (std::int64_t{1} << shift)};
  return fits_started(sums, rule, packed_bits, start) ? start : none;
}

/// Returns the parameters of a rule for sums with shifts. `start_with_shift` must be found.
constexpr auto scaled_with_shift(quantized::bounds<std::int64_t> sums, const channel_requantization& rule) -> scaled_requantization {
  const auto start = start_with_shift(sums, rule);
  return {rule.value, static_cast<std::int32_t>(start.offset), rule.right + packed_bits - 1, start.nudge};
}

}  // namespace baton::cortex_m::detail
