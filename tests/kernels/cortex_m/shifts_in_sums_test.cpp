// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums whose low byte is the right shift: outputs, nudges of both signs, and rules that have no such sums.
#include <baton/kernels/cortex_m/detail/shifts_in_sums.hpp>

#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace {

namespace cm = baton::cortex_m::detail;
using cm::channel_requantization;

constexpr baton::quantized::bounds<std::int64_t> all_sums{-(1 << 22), 1 << 22};

/// Returns the output for a sum, as the kernel computes it.
constexpr auto actual(std::int32_t sum, const channel_requantization& rule, bool corrects_ties) -> std::int32_t {
  const auto by = cm::scaled_with_shift(all_sums, rule);
  const auto scaled = sum * 256 + by.nudge;
  const cm::scaled_requantization read{by.multiplier, by.offset, scaled & 0xff, by.nudge};
  return rule.range.clamp(cm::requantize_scaled(scaled, read, corrects_ties ? cm::correction_of(scaled, rule.right, cm::packed_bits) : 0));
}

/// Compares outputs near a sum, with the correction if the kernel may use it, and without the correction if the kernel may omit it.
auto is_right_near(std::int64_t middle, const channel_requantization& rule) -> bool {
  for (auto at = middle - 3; at <= middle + 3; ++at) {
    if (at < all_sums.lower || at > all_sums.upper) continue;
    const auto sum = static_cast<std::int32_t>(at);
    const auto expected = cm::output_of(sum, rule);
    if (!rule.rounds_once() && actual(sum, rule, true) != expected) return false;
    if (rule.hides_negative_rounding() && actual(sum, rule, false) != expected) return false;
  }
  return true;
}

/// Returns a sum close to the smallest sum with the output `output`.
auto sum_near(std::int32_t output, const channel_requantization& rule) -> std::int64_t {
  const auto steps = (2 * std::int64_t{output - rule.zero_point} - 1) * (std::int64_t{1} << (30 + rule.right));
  return steps / rule.value;
}

}  // namespace

TEST_CASE("sums with shifts have the outputs of the rule next to every boundary of two outputs, and near 0") {
  std::mt19937 random(7);
  const auto from_to = [&](std::int32_t low, std::int32_t high) { return std::uniform_int_distribution<std::int32_t>(low, high)(random); };
  int starts[2] = {}, rounded_once = 0, negative = 0, large = 0;
  constexpr int count = 3000;
  for (int n = 0; n < count; ++n) {
    CAPTURE(n);
    const bool is_hidden = n % 2 == 0;
    channel_requantization rule{from_to(1 << 30, INT32_MAX), from_to(5, 13), from_to(-128, 127)};
    if (is_hidden) rule.range.lower = rule.zero_point;
    if (from_to(0, 3) == 0) rule.range.upper = from_to(rule.range.lower, 127);
    if (from_to(0, 3) == 0) rule.round = baton::quantized::rounding::once;
    const auto start = cm::start_with_shift(all_sums, rule);
    if (!start.is_found) continue;
    starts[is_hidden ? 0 : 1] += 1;
    rounded_once += rule.rounds_once() ? 1 : 0;
    negative += start.nudge < 0 ? 1 : 0;
    large += start.nudge > 1 << 12 ? 1 : 0;
    CHECK((start.nudge & 0xff) == rule.right + 7);
    bool is_right = is_right_near(0, rule) && is_right_near(all_sums.lower, rule) && is_right_near(all_sums.upper, rule) &&
                    is_right_near(start.nudge / 256, rule) && is_right_near(-start.nudge / 256, rule);
    for (auto output = rule.range.lower; output <= rule.range.upper; ++output)
      is_right = is_right && is_right_near(sum_near(output, rule), rule);
    CHECK(is_right);
  }
  CHECK(starts[0] > 1450);
  CHECK(starts[1] > 1100);
  CHECK(rounded_once > 500);
  CHECK(negative > 300);
  CHECK(large > 10);
}

TEST_CASE("a float32 bias keeps its outputs in sums with shifts") {
  channel_requantization rule{1500000000, 9, 3};
  rule.round = baton::quantized::rounding::once;
  rule.remainder = {400000000, 405000000};
  const auto start = cm::start_with_shift(all_sums, rule);
  REQUIRE(start.is_found);
  for (std::int32_t output = -128; output <= 127; ++output) CHECK(is_right_near(sum_near(output, rule), rule));
  // The addend is in the interval of the remainder.
  const auto addend = std::int64_t{start.nudge} * rule.value + (start.offset - 3 * (1 << 16)) * (std::int64_t{1} << 32);
  const auto remainder = addend / 256 - (std::int64_t{1} << 39);
  CHECK(remainder >= 400000000);
  CHECK(remainder <= 405000000);
}

TEST_CASE("rules without a shift in one byte, or with too large sums, have no sums with shifts") {
  static_assert(cm::start_with_shift(all_sums, {1500000000, 9, 3}).is_found);
  static_assert(!cm::start_with_shift(all_sums, {0, 9, 3}).is_found);
  static_assert(!cm::start_with_shift(all_sums, {1500000000, 26, 3}).is_found);        // shifts by 33
  static_assert(!cm::start_with_shift(all_sums, {1500000000, -7, 3}).is_found);        // shifts by 0
  static_assert(!cm::start_with_shift({-(1 << 23), 0}, {1500000000, 9, 3}).is_found);  // 2^31 with the scale
  static_assert(!cm::start_with_shift(all_sums, {1500000000, 1, 3}).is_found);         // the sign of -1 decides its output
  static_assert(cm::start_with_shift(all_sums, {1500000000, 1, -128}).is_found);       // no output depends on signs
}
