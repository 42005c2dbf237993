// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fixed-point arithmetic: the high half of a product, and shifts that round.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <limits>

namespace baton::quantized {

/// Returns a · b / 2^31, rounded to nearest, half up. Saturates if `a` and `b` are INT32_MIN. Equals gemmlowp's
/// `SaturatingRoundingDoublingHighMul`.
constexpr auto high_multiply(std::int32_t a, std::int32_t b) -> std::int32_t {
  constexpr auto min = std::numeric_limits<std::int32_t>::min();
  if (a == min && b == min) return std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>((static_cast<std::int64_t>(a) * b + (std::int64_t{1} << 30)) >> 31);
}

/// Returns x / 2^bits, rounded half away from zero, like gemmlowp's `RoundingDivideByPOT`. Requires 1 <= bits <= 31 and x > INT32_MIN. If
/// `bits` is 1, also requires x < INT32_MAX. Shifts in two steps, so that nothing overflows. With y = x + (x >> 31), the result is
/// floor((floor(y / 2^(bits - 1)) + 1) / 2) = floor((y + 2^(bits - 1)) / 2^bits).
constexpr auto rounding_shift_right(std::int32_t x, std::int32_t bits) -> std::int32_t {
  return (((x + (x >> 31)) >> (bits - 1)) + 1) >> 1;
}

/// Returns the low 32 bits of x · 2^bits.
constexpr auto shift_left(std::int32_t x, std::int32_t bits) -> std::int32_t {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << bits);
}

/// Returns x · value / 2^(31 + right), rounded twice: after the division by 2^31, and after the division by 2^right. Requires right >= 1
/// and value > INT32_MIN, so that the magnitude of value / 2^(31 + right) is below 1/2. `value` may be 0 or negative. The combination x =
/// -2^31, value = -2^31 + 1 and right = 1 is not allowed. The first rounding would yield 2^31 - 1, and the second one would overflow.
constexpr auto requantize_right(std::int32_t x, std::int32_t value, std::int32_t right) -> std::int32_t {
  return rounding_shift_right(static_cast<std::int32_t>((static_cast<std::int64_t>(x) * value + (std::int64_t{1} << 30)) >> 31), right);
}

/// Same as `requantize_right`, with the same requirements, but rounded once, half up. Omits two steps of `requantize_right`: the addend of
/// the first rounding, and the decrement of negative results. The result is correct, because floor((x · value + 2^(30 + right)) / 2^(31 +
/// right)) = floor((floor(x · value / 2^31) + 2^(right - 1)) / 2^right).
constexpr auto requantize_right_once(std::int32_t x, std::int32_t value, std::int32_t right) -> std::int32_t {
  return ((static_cast<std::int32_t>((static_cast<std::int64_t>(x) * value) >> 31) >> (right - 1)) + 1) >> 1;
}

}  // namespace baton::quantized
