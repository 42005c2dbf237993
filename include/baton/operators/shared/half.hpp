// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Conversion of IEEE 754 float16 to float32.
#pragma once

#include <baton/core/config.hpp>

#include <bit>
#include <cstdint>

namespace baton {

/// Returns the bits of the float32 that equals a float16; every float16 has an equal float32. No intermediate result is a subnormal
/// float32, so the result is bit-exact even if the processor flushes subnormals to zero. The function is one expression, so that it costs
/// few steps of constant evaluation.
constexpr auto float_bits_of_half(std::uint16_t half) -> std::uint32_t {
  // The exponent bias is 127 for float32, and 15 for float16. So 112 is added to the exponent, or 224 for infinities and NaNs. A subnormal
  // float16 is computed as 2^-14 (1 + fraction) - 2^-14.
  return (half & 0x8000u) << 16 |
         ((half & 0x7c00u) != 0 ? ((half & 0x7fffu) << 13) + ((half & 0x7c00u) == 0x7c00u ? 224u << 23 : 112u << 23)
                                : std::bit_cast<std::uint32_t>(std::bit_cast<float>(((half & 0x3ffu) << 13) + (113u << 23)) - 0x1p-14f));
}

}  // namespace baton
