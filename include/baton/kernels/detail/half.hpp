// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Float16 and bfloat16 elements, converted to float32 and back.
#pragma once

#include <baton/kernels/unaligned.hpp>
#include <baton/operators/shared/half.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// Converts a float16 that is zero, subnormal, infinite or NaN. The function is not inlined, so that inner loops stay short.
[[gnu::noinline, gnu::cold]] inline auto widen_rare_half(std::uint16_t half) -> float {
  return std::bit_cast<float>(float_bits_of_half(half));
}

/// Returns an element of a float16 array, which may be unaligned.
[[gnu::always_inline]] inline auto load_half(const char* from, std::ptrdiff_t element) -> float {
  const auto half = load<std::uint16_t>(from, element);
// Every FPU of a Cortex-M has a conversion instruction. GCC does not use it without -mfp16-format. On a Cortex-M4, the macro `__ARM_FP`
// does not report this instruction.
#if defined(__arm__) && defined(__ARM_FP) && (__ARM_ARCH_PROFILE == 'M' || (__ARM_FP & 2) != 0)
  float wide;
  asm("vcvtb.f32.f16 %0, %1" : "=t"(wide) : "t"(std::bit_cast<float>(std::uint32_t{half})));
  return wide;
#else
  if (((half & 0x7c00u) - 0x400u) >= 0x7800u) [[unlikely]]
    return widen_rare_half(half);
  // The sign extension sets the upper exponent bits of a negative number, and the mask clears them. The exponent biases of the types differ
  // by 112.
  const auto extended = static_cast<std::uint32_t>(static_cast<std::int16_t>(half)) << 13;
  return std::bit_cast<float>((extended & 0x8fffffffu) + (112u << 23));
#endif
}

/// Returns the bits of the nearest float16, ties to even. Numbers with a magnitude of 65520 or more become infinite. A NaN becomes quiet.
constexpr auto half_bits_of_float(float x) -> std::uint16_t {
  const auto bits = std::bit_cast<std::uint32_t>(x), magnitude = bits & 0x7fffffffu;
  const auto sign = bits >> 16 & 0x8000u;
  const auto signed_bits = [sign](std::uint32_t half) { return static_cast<std::uint16_t>(sign | half); };
  if (magnitude > 0x7f800000u) return signed_bits(0x7e00u);
  if (magnitude >= 0x477ff000u) return signed_bits(0x7c00u);
  // Below 2^-14, adjacent float16 numbers differ by 2^-24, like adjacent float32 numbers in [0.5, 1).
  if (magnitude < 0x38800000u)
    return signed_bits(std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - std::bit_cast<std::uint32_t>(0.5f));
  return signed_bits((magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13);
}

/// Returns the bits of the nearest bfloat16, ties to even. A NaN becomes quiet.
constexpr auto bfloat16_bits_of_float(float x) -> std::uint16_t {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/// Returns an element of a bfloat16 array, which may be unaligned.
[[gnu::always_inline]] inline auto load_bfloat16(const char* from, std::ptrdiff_t element) -> float {
  return std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(from, element)) << 16);
}

}  // namespace baton::portable::detail
