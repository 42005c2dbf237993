// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Requantization, in a few instructions, of sums that are scaled by a power of two. Results are bit-identical to `quantized::requantize`,
// which rounds twice, or to `quantized::requantize_once`. With a float32 bias, they are bit-identical to `output_with_addend`.
// If requantization rounds twice, the second rounding rounds negative ties (numbers halfway between two results) away from zero. This needs
// a correction (`correction_of`).
#pragma once

#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/modular_walk.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::cortex_m::detail {

using quantized::bounds;

/// The sum of the positive weights of an output, and the sum of its negative weights.
struct weight_sums {
  std::int32_t positive = 0;
  std::int32_t negative = 0;
};

/// Sums `count` weights that are `step` bytes apart. Takes about one constexpr step per weight.
constexpr auto sum_weights(const char* weights, std::int32_t count, std::int32_t step = 1) -> weight_sums {
  std::int32_t all = 0;
  std::int32_t positive = 0;
  std::int32_t k = 0;  // an index, because a pointer would leave the array after the last weight
  for (; k + 4 <= count; k += 4) {
    const std::int32_t w0 = static_cast<signed char>(weights[k * step]), w1 = static_cast<signed char>(weights[(k + 1) * step]),
                       w2 = static_cast<signed char>(weights[(k + 2) * step]), w3 = static_cast<signed char>(weights[(k + 3) * step]);
    all += w0 + w1 + w2 + w3;
    positive += (w0 > 0 ? w0 : 0) + (w1 > 0 ? w1 : 0) + (w2 > 0 ? w2 : 0) + (w3 > 0 ? w3 : 0);
  }
  for (; k < count; ++k) {
    const std::int32_t weight = static_cast<signed char>(weights[k * step]);
    all += weight;
    positive += weight > 0 ? weight : 0;
  }
  return {positive, all - positive};
}
/// Returns bounds of the `weight_sums` of any `count` int8 weights: `positive` is 127 · `count`, and `negative` is -128 · `count`.
constexpr auto max_weights(std::int32_t count) -> weight_sums { return {127 * count, -128 * count}; }

/// Returns an interval that contains bias + Σ weight · (input − zero point) for arbitrary inputs. The interval is also valid with padding:
/// a tap (a position in the window) in the padding contributes 0, like an input that equals the zero point.
constexpr auto sum_bounds(std::int32_t bias, weight_sums weights, std::int32_t input_zero_point) -> quantized::bounds<std::int64_t> {
  const std::int64_t min = -128 - input_zero_point;
  const std::int64_t max = 127 - input_zero_point;
  return {bias + weights.positive * min + weights.negative * max, bias + weights.positive * max + weights.negative * min};
}
constexpr auto magnitude_of(quantized::bounds<std::int64_t> sums) -> std::int64_t {
  return -sums.lower > sums.upper ? -sums.lower : sums.upper;
}

/// The requantization rule of a channel: multiplier, right shift, zero point, output range and rounding.
struct channel_requantization {
  std::int32_t value = 0;  ///< the fixed-point multiplier
  std::int32_t right = 1;  ///< the right shift of the product; a left shift if negative
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{-128, 127};
  quantized::rounding round = quantized::rounding::twice;
  /// The remainder of a float32 bias: the bias minus its integer part, at the scale of sum · `value`. `remainder` is an interval, because
  /// several remainders can lead to the same outputs for all sums. {0, 0} means that there is no remainder. A rule with a remainder rounds
  /// once.
  quantized::bounds<std::int64_t> remainder{};

  constexpr auto has_remainder() const -> bool { return remainder.lower != 0 || remainder.upper != 0; }
  constexpr auto rounds_once() const -> bool { return round == quantized::rounding::once; }
  /// True if the rounding of negative sums cannot change the output, so that the correction of `requantize_scaled` can be omitted. Both
  /// candidates for the result of a negative tie are at most the zero point. If the range begins at the zero point or above, both are
  /// clamped to the same output. A rule that rounds once has no correction.
  constexpr auto hides_negative_rounding() const -> bool { return rounds_once() || range.lower >= zero_point; }
};

/// Returns the output for a sum. If `rule` shifts to the left, the shifted sum must not overflow.
constexpr auto output_of(std::int32_t sum, const channel_requantization& rule) -> std::int32_t {
  if (rule.rounds_once()) {
    const auto addend = (std::int64_t{1} << (30 + rule.right)) + rule.remainder.lower;
    return portable::detail::output_with_addend(sum, {rule.value, -rule.right}, addend, rule.zero_point, rule.range);
  }
  return rule.range.clamp(quantized::requantize(sum, {rule.value, -rule.right}) + rule.zero_point);
}

/// Returns the part of `rule.range` that contains the outputs of `rule` for the sums in an interval. Sums that do not fit 32 bits are
/// ignored. The part also contains the next output on each side, unless this output is outside `rule.range`. So if two rules with this part
/// as their range have equal outputs for these sums, they also have equal outputs with `rule.range`. The multiplier must not be negative.
constexpr auto reached_range(quantized::bounds<std::int64_t> sums, const channel_requantization& rule) -> quantized::bounds<std::int32_t> {
  constexpr quantized::bounds<std::int64_t> all{INT32_MIN, INT32_MAX};
  const auto lower = output_of(static_cast<std::int32_t>(all.clamp(sums.lower)), rule);
  const auto upper = output_of(static_cast<std::int32_t>(all.clamp(sums.upper)), rule);
  return {std::max(rule.range.lower, lower - 1), std::min(rule.range.upper, upper + 1)};
}

/// The result of `constant_output` if the output may depend on the sum. `varies` is not an int8 number.
inline constexpr std::int32_t varies = 1000;
/// Returns the output of a channel if the output is the same for all sums in the interval, else `varies`. Compares only the ends of the
/// interval, because requantization is monotonic if the multiplier is not negative. Also returns `varies` if the multiplier is negative, or
/// if the computation might overflow.
constexpr auto constant_output(quantized::bounds<std::int64_t> sums, const channel_requantization& rule) -> std::int32_t {
  const bool is_plain = rule.value >= 0 && rule.right >= 1 && rule.right <= 31 && magnitude_of(sums) < INT32_MAX;
  if (!is_plain) return varies;
  const auto lowest = output_of(static_cast<std::int32_t>(sums.lower), rule);
  return lowest == output_of(static_cast<std::int32_t>(sums.upper), rule) ? lowest : varies;
}

/// The parameters of `requantize_scaled`, for sums scaled by 2^j, where j is at least 2.
struct scaled_requantization {
  std::int32_t multiplier = 0;
  std::int32_t offset = 0;  ///< added to the high half of the product; includes the zero point
  std::int32_t shift = 1;   ///< right shift: `channel_requantization::right` + j − 1
  std::int32_t nudge = 0;   ///< included in the scaled initial sum; `requantize_scaled` does not add it

  constexpr auto operator==(const scaled_requantization&) const -> bool = default;
};

/// Returns the offset for sums scaled by 2^j. `quantized::requantize` rounds a sum x with multiplier m and right shift r twice. Both
/// roundings together compute y = floor((x·m + 2^30 + 2^(30+r) − c) / 2^(31+r)), where c is 2^31 if x·m is negative, else 0. If x is scaled
/// by 2^j, all these constants become multiples of 2^32. So they can be added to the high half of the product. The offset contains all of
/// them except c, which the correction subtracts (`correction_of`). The offset also contains the zero point. Without a right shift,
/// `quantized::requantize` rounds once, and c is always 0. A rule that rounds once has neither 2^30 nor c.
constexpr auto scaled_offset(const channel_requantization& rule, std::int32_t j) -> std::int64_t {
  const auto shift = rule.right + j - 1;
  return (rule.right > 0 && !rule.rounds_once() ? std::int64_t{1} << (j - 2) : std::int64_t{0}) + (std::int64_t{1} << (shift - 1)) +
         rule.zero_point * (std::int64_t{1} << shift);
}

/// A nudge and an offset that together replace the remainder of a rule, for sums scaled by 2^j. The nudge is a number that is added to the
/// scaled initial sum; the offset is `scaled_requantization::offset`.
struct scaled_start {
  std::int32_t nudge = 0;
  std::int64_t offset = 0;
  bool is_found = true;
};
inline constexpr std::int32_t max_nudge = 1 << 29;

/// Returns the smallest nudge n, and an offset H, that together are equivalent to the addend of a rule with a remainder. The addend is
/// 2^(30 + r) plus the remainder, where r is the right shift. For a sum x and the multiplier m, the kernel computes floor((2^j·x·m + n·m +
/// H·2^32) / 2^(31 + r + j)). So n·m + H·2^32 must be in 2^j·[lowest addend, highest addend + 1). The numbers n·m − 2^j · lowest addend,
/// modulo 2^32, are a `modular_walk`. So `first_at_most` computes n. If n would exceed `max_nudge`, the result has `is_found` false. Nearly
/// every remainder has a nudge up to 2^22. The returned offset is H plus the zero point times 2^(r + j − 1). Requires `is_small_remainder`,
/// and r + j − 1 up to 31.
constexpr auto start_of_remainder(const channel_requantization& rule, std::int32_t j) -> scaled_start {
  constexpr auto modulus = std::int64_t{1} << 32;
  const auto lowest = ((std::int64_t{1} << (30 + rule.right)) + rule.remainder.lower) * (1 << j);
  const auto width = (rule.remainder.upper - rule.remainder.lower + 1) * (1 << j) - 1;
  const auto first = static_cast<std::int64_t>(static_cast<std::uint32_t>(-lowest));
  const auto at = first_at_most({first, (modulus - rule.value) % modulus, modulus, max_nudge + 1}, width);
  if (at.value > width) return {.is_found = false};
  const auto offset = (lowest + at.value - at.index * rule.value) / modulus + rule.zero_point * (std::int64_t{1} << (rule.right + j - 1));
  return {static_cast<std::int32_t>(at.index), offset};
}
/// True if `start_of_remainder` does not overflow. A remainder is too large only if the bias exceeds the limit of its integer part, or if
/// the multiplier is 0 (see `channel_numbers`).
constexpr auto is_small_remainder(quantized::bounds<std::int64_t> remainder) -> bool {
  constexpr auto limit = std::int64_t{1} << 40;
  return remainder.lower > -limit && remainder.upper < limit;
}

/// Returns the nudge and the offset for sums scaled by 2^j.
constexpr auto start_at(const channel_requantization& rule, std::int32_t j) -> scaled_start {
  if (rule.has_remainder()) return start_of_remainder(rule, j);
  return {0, scaled_offset(rule, j)};
}
/// Returns the parameters of a rule for sums scaled by 2^j. `fits_scaled` must hold.
constexpr auto scaled_by(const channel_requantization& rule, std::int32_t j) -> scaled_requantization {
  const auto start = start_at(rule, j);
  return {rule.value, static_cast<std::int32_t>(start.offset), rule.right + j - 1, start.nudge};
}
/// Returns parameters that map every sum to `output`, if no correction is added.
constexpr auto scaled_constant(std::int32_t output, std::int32_t shift) -> scaled_requantization {
  return {0, static_cast<std::int32_t>(output * (std::int64_t{1} << shift)), shift};
}

/// True if sums within the bounds `sums`, scaled by 2^j, and all intermediate results of `requantize_scaled` fit 32 bits.
constexpr auto fits_started(quantized::bounds<std::int64_t> sums, const channel_requantization& rule, std::int32_t j,
                            const scaled_start& start) -> bool {
  const auto magnitude = magnitude_of(sums);
  if (magnitude >= std::int64_t{1} << (31 - j)) return false;
  const auto scaled = (magnitude << j) + (start.nudge < 0 ? -start.nudge : start.nudge);
  if (!start.is_found || scaled >= std::int64_t{1} << 31) return false;
  const auto high = (scaled * rule.value >> 32) + 1 + (std::int64_t{1} << (j - 1));
  return (start.offset < 0 ? -start.offset : start.offset) + high < std::int64_t{1} << 31;
}

/// True if `requantize_scaled` is exact for all sums within the bounds `sums`, scaled by 2^j. The scaled sum and all intermediate results
/// then fit 32 bits, and the remainder of a float32 bias has a nudge and an offset.
constexpr auto fits_scaled(quantized::bounds<std::int64_t> sums, const channel_requantization& rule, std::int32_t j) -> bool {
  const auto shift = rule.right + j - 1;
  if (rule.value < 0 || j < 2 || shift < 1 || shift > 31 || rule.right > 30) return false;
  if (rule.has_remainder() && !is_small_remainder(rule.remainder)) return false;
  return magnitude_of(sums) < std::int64_t{1} << (31 - j) && fits_started(sums, rule, j, start_at(rule, j));
}

/// Returns the correction of a scaled sum. The correction makes negative ties round away from zero. It is 0 if the sum is not negative or
/// there is no right shift.
constexpr auto correction_of(std::int32_t scaled, std::int32_t right, std::int32_t j) -> std::int32_t {
  return right > 0 && scaled < 0 ? -(1 << (j - 1)) : 0;
}

/// Returns the output of a scaled sum. The output is not yet clamped to the activation's range. Computes the high half of a product plus
/// the offset (SMMLA), adds the correction of negative sums, and shifts with saturation to 8 bits (SSAT).
[[gnu::always_inline]] constexpr auto requantize_scaled(std::int32_t scaled, const scaled_requantization& by, std::int32_t correction)
    -> std::int32_t {
  return ssat8((smmla(scaled, by.multiplier, by.offset) + correction) >> by.shift);
}

}  // namespace baton::cortex_m::detail
