// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// For channels with float32 biases: the remainders (`channel_requantization::remainder`) and the multipliers that lead to the same outputs
// as the exact bias.
#pragma once

#include <baton/kernels/cortex_m/detail/modular_walk.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Returns `rule` with its remainder widened to the largest interval of remainders that lead to the same outputs. Let m be the multiplier,
/// r the right shift, D = 2^(31 + r), and k an output minus the zero point. The addend is 2^(30 + r) plus the remainder. Let t be the
/// smallest x with x·m + addend >= k·D. Sums of at least t have an output of at least k plus the zero point. The number t stays the same
/// while the addend decreases by at most d(k) = (addend − k·D) mod m, or increases by at most m − 1 − d(k). `first_at_most` computes the
/// smallest and the largest d(k) of all outputs, because the numbers d(k) are a `modular_walk`. The multiplier must be positive, and
/// `rule.remainder` must contain only one number.
constexpr auto with_any_remainder(channel_requantization rule) -> channel_requantization {
  const std::int64_t m = rule.value;
  const auto addend = (std::int64_t{1} << (30 + rule.right)) + rule.remainder.lower;
  const auto step = (std::int64_t{1} << (31 + rule.right)) % m;
  const auto first = ((addend % m - (rule.range.lower + 1 - rule.zero_point) * step) % m + m) % m;
  const auto count = std::max<std::int64_t>(1, rule.range.upper - rule.range.lower);
  rule.remainder.upper += first_at_most({m - 1 - first, step == 0 ? 0 : m - step, m, count}, 0).value;
  rule.remainder.lower -= first_at_most({first, step, m, count}, 0).value;
  return rule;
}
/// Like `with_any_remainder`, but returns `rule` unchanged if the rule has no remainder, or if its multiplier is not positive.
constexpr auto with_equal_remainders(const channel_requantization& rule) -> channel_requantization {
  return rule.has_remainder() && rule.value > 0 ? with_any_remainder(rule) : rule;
}

/// A rule with another multiplier and the same outputs.
struct replaced_multiplier {
  channel_requantization rule{};  ///< `remainder` is empty (`upper` < `lower`) if the multiplier changes outputs
  bool grows_upward = false;      ///< whether a larger multiplier has a larger interval of remainders
};

/// Adds `more` to the multiplier m of a rule with a remainder. For every k (see `with_any_remainder`), sums of at least t have an output of
/// at least k plus the zero point. This also holds for the new multiplier if the new addend is in [k·D − t·(m + more), k·D − (t − 1)·(m +
/// more)) for every k. `slack` is t·m + addend − k·D. Requires a multiplier of at least 2^30, a right shift in [-6, 28], and a range of at
/// least two outputs.
constexpr auto replace_multiplier(const channel_requantization& rule, std::int64_t more) -> replaced_multiplier {
  const std::int64_t m = rule.value, unit = std::int64_t{1} << (31 + rule.right), step = unit / m, excess = unit % m;
  const auto distance = (rule.range.lower + 1 - rule.zero_point) * unit - unit / 2 - rule.remainder.lower;
  auto t = distance / m, slack = t * m - distance;
  if (slack < 0) ++t, slack += m;
  std::int64_t lower = INT64_MIN, upper = INT64_MAX, lower_sum = 0, upper_sum = 0;
  for (auto output = rule.range.lower; output < rule.range.upper; ++output) {
    const auto min = -slack - t * more, max = min + m - 1 + more;
    if (min > lower) lower = min, lower_sum = t;
    if (max < upper) upper = max, upper_sum = t - 1;
    t += step, slack -= excess;
    if (slack < 0) ++t, slack += m;
  }
  auto result = rule;
  result.value += static_cast<std::int32_t>(more);
  result.remainder = {rule.remainder.lower + lower, rule.remainder.lower + upper};
  return {result, lower_sum > upper_sum};
}

/// Returns the nudge (`scaled_start::nudge`) of a rule with a remainder, at the smallest scale of sums at which the rule shifts to the
/// right. Returns `INT32_MAX` if no nudge exists. The nudges at larger scales are similar.
constexpr auto nudge_of(const channel_requantization& rule) -> std::int32_t {
  if (rule.remainder.lower > rule.remainder.upper || !is_small_remainder(rule.remainder)) return INT32_MAX;
  const auto start = start_of_remainder(rule, std::max<std::int32_t>(2, 2 - rule.right));
  return start.is_found ? start.nudge : INT32_MAX;
}

/// If the nudge of `rule` is large (above 2^22), searches for a rule with the same outputs, another multiplier and a smaller nudge. If
/// there is none, returns `rule`. With a large nudge, sums may not fit 32 bits. The nudge is large if some sums are just below a tie, and
/// other sums at or just above a tie. An example is a requantization factor of 1/3 with a bias of 0.5, in units of the sums. Then no other
/// remainder has the same outputs. With a slightly different multiplier, many remainders have the same outputs. The number of these
/// remainders is a concave function of the multiplier, so bisection finds a suitable multiplier. `rule.range` must be the range of the
/// outputs that sums reach (`reached_range`). Also returns `rule` if it has no small remainder (`is_small_remainder`), if its multiplier is
/// less than 2^30, or if its right shift is not in [-6, 28]. No scale fits a smaller shift, and a larger shift leads to numbers of more
/// than 64 bits.
constexpr auto with_small_nudge(const channel_requantization& rule) -> channel_requantization {
  constexpr std::int32_t small = 1 << 22;
  constexpr int max_trials = 9;
  const std::int64_t m = rule.value;
  const bool is_plain = rule.has_remainder() && m >= 1 << 30 && rule.right >= -6 && rule.right <= 28 && is_small_remainder(rule.remainder);
  auto best = rule;
  auto best_nudge = is_plain && rule.range.lower < rule.range.upper ? nudge_of(rule) : 0;
  if (best_nudge <= small) return rule;
  // If the multiplier changes by this limit, the number of sums from the lowest to the highest output changes by about one.
  const auto limit = m / ((std::int64_t{1} << (31 + rule.right)) / m + 1) / (rule.range.upper - rule.range.lower);
  std::int64_t more = 0, lower = -limit, upper = std::min(limit, INT32_MAX - m);
  for (int trial = 0; trial < max_trials && best_nudge > small && upper - lower > 1; ++trial) {
    const auto replaced = replace_multiplier(rule, more);
    const auto nudge = nudge_of(replaced.rule);
    if (nudge < best_nudge) best = replaced.rule, best_nudge = nudge;
    (replaced.grows_upward ? lower : upper) = more;
    more = lower + (upper - lower) / 2;
  }
  return best;
}

}  // namespace baton::cortex_m::detail
