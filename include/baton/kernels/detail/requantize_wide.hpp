// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The requantization of 64-bit sums.
#pragma once

#include <baton/operators/requantization.hpp>

#include <cstdint>

namespace baton::portable::detail {

/// Returns `x` · `multiplier`, rounded once, half up. `x` is a sum of products of int16 numbers. The value of `multiplier` must not be
/// negative, and is first rounded to 15 bits. Requires |x| < 2^47 and a shift below 8, so that the product fits 64 bits. Equals TensorFlow
/// Lite's `MultiplyByQuantizedMultiplier` of `int64_t`.
constexpr auto requantize_wide(std::int64_t x, quantized::fixed_multiplier multiplier) -> std::int32_t {
  const std::int64_t reduced = multiplier.value < 0x7fff0000 ? (multiplier.value + (1 << 15)) >> 16 : 0x7fff;
  const auto bits = 15 - multiplier.shift;
  return static_cast<std::int32_t>((x * reduced + (std::int64_t{1} << (bits - 1))) >> bits);
}

}  // namespace baton::portable::detail
