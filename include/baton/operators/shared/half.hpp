// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// float16 of IEEE 754 as float32.
#pragma once

#include <bit>
#include <cstdint>

namespace baton {

/// The bits of the float32 that equals a float16: float32 has every number of float16. Reads no subnormal float32, so a processor that
/// flushes these gives the same. One expression, which costs a constant few steps.
constexpr auto float_bits_of_half(std::uint16_t half) -> std::uint32_t {
  // The exponent is biased by 127, not by 15: 112 more, and 112 again of an infinity. A subnormal number is 2^-14 (1 + fraction) - 2^-14.
  return (half & 0x8000u) << 16 |
         ((half & 0x7c00u) != 0 ? ((half & 0x7fffu) << 13) + ((half & 0x7c00u) == 0x7c00u ? 224u << 23 : 112u << 23)
                                : std::bit_cast<std::uint32_t>(std::bit_cast<float>(((half & 0x3ffu) << 13) + (113u << 23)) - 0x1p-14f));
}

}  // namespace baton
