// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The requantization of sums of 64 bits.
#pragma once

#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::portable::detail {

/// A 64-bit x, as sums of products with int16 are, times a fixed multiplier that is not negative, rounded once, half up; the multiplier is
/// rounded to 15 bits first. |x| < 2^47 and a shift below 8 keep it in 64 bits. TensorFlow Lite's `MultiplyByQuantizedMultiplier` of
/// `int64_t`.
constexpr auto requantize_wide(std::int64_t x, fixed_multiplier by) -> std::int32_t {
  const std::int64_t reduced = by.value < 0x7fff0000 ? (by.value + (1 << 15)) >> 16 : 0x7fff;
  const auto bits = 15 - by.shift;
  return static_cast<std::int32_t>((x * reduced + (std::int64_t{1} << (bits - 1))) >> bits);
}

}  // namespace baton::portable::detail
