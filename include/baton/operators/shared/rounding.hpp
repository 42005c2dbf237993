// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The steps of fixed-point arithmetic: the high half of a product, and shifts that round.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <limits>

namespace baton::portable {

/// a · b / 2^31, rounded to nearest, half up; INT32_MIN² saturates. gemmlowp's `SaturatingRoundingDoublingHighMul`.
constexpr auto high_multiply(std::int32_t a, std::int32_t b) -> std::int32_t {
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  if (a == least && b == least) return std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>((static_cast<std::int64_t>(a) * b + (std::int64_t{1} << 30)) >> 31);
}

/// x / 2^bits, rounded half away from zero; 1 <= bits <= 31, x over INT32_MIN, and below INT32_MAX where bits is 1. gemmlowp's
/// `RoundingDivideByPOT`, halved in two steps so that nothing overflows: floor((floor(y / 2^(bits - 1)) + 1) / 2) = floor((y + 2^(bits -
/// 1)) / 2^bits).
constexpr auto rounding_shift_right(std::int32_t x, std::int32_t bits) -> std::int32_t {
  return (((x + (x >> 31)) >> (bits - 1)) + 1) >> 1;
}

/// x · 2^bits; what leaves 32 bits is lost.
constexpr auto shift_left(std::int32_t x, std::int32_t bits) -> std::int32_t {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << bits);
}

/// x times a factor of a magnitude below 1/2, rounded twice: `right` is at least 1. The value may be 0 or negative, but over INT32_MIN.
constexpr auto requantize_right(std::int32_t x, std::int32_t value, std::int32_t right) -> std::int32_t {
  return rounding_shift_right(static_cast<std::int32_t>((static_cast<std::int64_t>(x) * value + (std::int64_t{1} << 30)) >> 31), right);
}

}  // namespace baton::portable
