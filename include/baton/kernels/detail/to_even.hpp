// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Integer quotients and products that are rounded once, half to even.
#pragma once

#include <baton/operators/requantization.hpp>

#include <bit>
#include <cstdint>

namespace baton::portable::detail {

/// Returns (x + f) / 2^bits, rounded half to even. The fraction f is 0, or an unknown number between 0 and 1 if `has_fraction` is true.
/// Requires 1 <= bits <= 62 and a magnitude of `x` of at most 2^62.
constexpr auto shift_right_to_even(std::int64_t x, std::int32_t bits, bool has_fraction = false) -> std::int64_t {
  const auto half = std::int64_t{1} << (bits - 1);
  const auto rounded = (x + half) >> bits;
  const bool is_tie = ((x + half) & (2 * half - 1)) == 0 && !has_fraction;
  return is_tie ? rounded & ~std::int64_t{1} : rounded;
}

/// Returns x / n, rounded half to even. `n` is in [1, 2^24].
constexpr auto quotient_to_even(std::int32_t x, std::int32_t n) -> std::int32_t {
  const auto quotient = x / n;
  const auto remainder = x % n;
  const auto twice = 2 * (remainder < 0 ? -remainder : remainder);
  const bool is_next = twice > n || (twice == n && quotient % 2 != 0);
  return quotient + (!is_next ? 0 : x < 0 ? -1 : 1);
}

/// Returns x · `multiplier` / n, rounded once, half to even, and clamped to ±2^30. `multiplier` is positive; its shift is in [-15, 15].
constexpr auto scaled_quotient_to_even(std::int32_t x, quantized::fixed_multiplier multiplier, std::int32_t n) -> std::int32_t {
  const auto product = static_cast<std::int64_t>(x) * multiplier.value;
  const auto remainder = product % n < 0 ? product % n + n : product % n;
  const auto rounded = shift_right_to_even((product - remainder) / n, 31 - multiplier.shift, remainder != 0);
  return static_cast<std::int32_t>(quantized::bounds<std::int64_t>{-(1 << 30), 1 << 30}.clamp(rounded));
}

/// Returns x · `multiplier`, rounded once, half to even. Requires a shift of `multiplier` from -31 to 30.
constexpr auto requantize_to_even(std::int32_t x, quantized::fixed_multiplier multiplier) -> std::int64_t {
  return shift_right_to_even(static_cast<std::int64_t>(x) * multiplier.value, 31 - multiplier.shift);
}

/// True if x · `multiplier` can be halfway between two integers for an integer x with at most `max_trailing_zeros` trailing zero bits. If
/// false, `requantize_once` and `requantize_to_even` return equal results for every such x.
constexpr auto can_tie(quantized::fixed_multiplier multiplier, std::int32_t max_trailing_zeros) -> bool {
  return multiplier.value != 0 &&
         std::countr_zero(static_cast<std::uint32_t>(multiplier.value)) + max_trailing_zeros >= 30 - multiplier.shift;
}

}  // namespace baton::portable::detail
