// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions for the DSP instructions of a Cortex-M with the DSP extension, such as a Cortex-M4. On other targets, and in constant
// expressions, the functions use plain arithmetic. A word holds two halfwords; the bottom halfword is in the low bits. Names and semantics
// follow the Arm Architecture Reference Manual for ARMv7-M.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::cortex_m::detail {

/// True if the target has the DSP instructions.
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
inline constexpr bool has_dsp = true;
#else
inline constexpr bool has_dsp = false;
#endif

constexpr auto bottom(std::uint32_t word) -> std::int32_t { return static_cast<std::int16_t>(word & 0xffffu); }
constexpr auto top(std::uint32_t word) -> std::int32_t { return static_cast<std::int16_t>(word >> 16); }
/// Returns a word of two halfwords: the low 16 bits of each argument.
constexpr auto halfwords(std::int32_t bottom_half, std::int32_t top_half) -> std::uint32_t {
  return (static_cast<std::uint32_t>(bottom_half) & 0xffffu) | static_cast<std::uint32_t>(top_half) << 16;
}
constexpr auto rotated_right_8(std::uint32_t word) -> std::uint32_t { return word >> 8 | word << 24; }

namespace plain {

/// Returns the sum modulo 2^32, because the instructions wrap around.
constexpr auto sum_of(std::int32_t a, std::int32_t b) -> std::int32_t {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
constexpr auto smlad(std::uint32_t a, std::uint32_t b, std::int32_t sum) -> std::int32_t {
  return sum_of(sum, sum_of(bottom(a) * bottom(b), top(a) * top(b)));
}
constexpr auto sxtb16(std::uint32_t word) -> std::uint32_t {
  return halfwords(static_cast<std::int8_t>(word & 0xffu), static_cast<std::int8_t>(word >> 16 & 0xffu));
}
constexpr auto sadd16(std::uint32_t a, std::uint32_t b) -> std::uint32_t { return halfwords(bottom(a) + bottom(b), top(a) + top(b)); }
constexpr auto ssub16(std::uint32_t a, std::uint32_t b) -> std::uint32_t { return halfwords(bottom(a) - bottom(b), top(a) - top(b)); }
constexpr auto smmla(std::int32_t a, std::int32_t b, std::int32_t sum) -> std::int32_t {
  return sum_of(static_cast<std::int32_t>((std::int64_t{a} * b) >> 32), sum);
}

}  // namespace plain

/// Returns bottom(a) · bottom(b) + top(a) · top(b) + sum.
[[gnu::always_inline]] constexpr auto smlad(std::uint32_t a, std::uint32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    if constexpr (has_dsp) asm("smlad %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
  }
  return plain::smlad(a, b, sum);
}
/// `smlabt`, `smlatb`, `smlabb` and `smlatt` return a product of two halfwords, plus `sum`. The last two letters of the name select the
/// halves of the first and the second operand: `b` for bottom, `t` for top.
[[gnu::always_inline]] constexpr auto smlabt(std::uint32_t a, std::uint32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    if constexpr (has_dsp) asm("smlabt %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
  }
  return plain::sum_of(bottom(a) * top(b), sum);
}
[[gnu::always_inline]] constexpr auto smlatb(std::uint32_t a, std::uint32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    if constexpr (has_dsp) asm("smlatb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
  }
  return plain::sum_of(top(a) * bottom(b), sum);
}

[[gnu::always_inline]] constexpr auto smlabb(std::uint32_t a, std::uint32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    if constexpr (has_dsp) asm("smlabb %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
  }
  return plain::sum_of(bottom(a) * bottom(b), sum);
}
[[gnu::always_inline]] constexpr auto smlatt(std::uint32_t a, std::uint32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    if constexpr (has_dsp) asm("smlatt %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
  }
  return plain::sum_of(top(a) * top(b), sum);
}

/// Returns bytes 0 and 2, sign-extended to halfwords.
[[gnu::always_inline]] constexpr auto sxtb16(std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("sxtb16 %0, %1" : "=r"(result) : "r"(word));
    return result;
  }
  return plain::sxtb16(word);
}
/// Returns bytes 1 and 3, sign-extended to halfwords.
[[gnu::always_inline]] constexpr auto sxtb16_ror8(std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("sxtb16 %0, %1, ror #8" : "=r"(result) : "r"(word));
    return result;
  }
  return plain::sxtb16(rotated_right_8(word));
}
/// Adds sign-extended bytes of `word` to the halfwords of `sums`: bytes 0 and 2 (`sxtab16`), or bytes 1 and 3 (`sxtab16_ror8`).
[[gnu::always_inline]] constexpr auto sxtab16(std::uint32_t sums, std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("sxtab16 %0, %1, %2" : "=r"(result) : "r"(sums), "r"(word));
    return result;
  }
  return plain::sadd16(sums, plain::sxtb16(word));
}
[[gnu::always_inline]] constexpr auto sxtab16_ror8(std::uint32_t sums, std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("sxtab16 %0, %1, %2, ror #8" : "=r"(result) : "r"(sums), "r"(word));
    return result;
  }
  return plain::sadd16(sums, plain::sxtb16(rotated_right_8(word)));
}

/// Returns the sums (`sadd16`) or the differences (`ssub16`) of the halfwords of two words, modulo 2^16.
[[gnu::always_inline]] constexpr auto sadd16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("sadd16 %0, %1, %2" : "=r"(result) : "r"(a), "r"(b));
    return result;
  }
  return plain::sadd16(a, b);
}
[[gnu::always_inline]] constexpr auto ssub16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("ssub16 %0, %1, %2" : "=r"(result) : "r"(a), "r"(b));
    return result;
  }
  return plain::ssub16(a, b);
}

/// Returns a word with the bottom half of `a` in its bottom half, and the bottom half of `b` in its top half.
[[gnu::always_inline]] constexpr auto pkhbt_lsl16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("pkhbt %0, %1, %2, lsl #16" : "=r"(result) : "r"(a), "r"(b));
    return result;
  }
  return (a & 0xffffu) | b << 16;
}
/// Returns a word with the top half of `b` in its bottom half, and the top half of `a` in its top half.
[[gnu::always_inline]] constexpr auto pkhtb_asr16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t result = 0;
    if constexpr (has_dsp) asm("pkhtb %0, %1, %2, asr #16" : "=r"(result) : "r"(a), "r"(b));
    return result;
  }
  return (a & 0xffff0000u) | b >> 16;
}

/// Returns the high 32 bits of the 64-bit product a · b, plus `sum`.
[[gnu::always_inline]] constexpr auto smmla(std::int32_t a, std::int32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::int32_t result = 0;
    if constexpr (has_dsp) asm("smmla %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
  }
  return plain::smmla(a, b, sum);
}

/// Returns `x` clamped to the range of int8.
[[gnu::always_inline]] constexpr auto ssat8(std::int32_t x) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::int32_t result = 0;
    if constexpr (has_dsp) asm("ssat %0, #8, %1" : "=r"(result) : "r"(x));
    return result;
  }
  return x < -128 ? -128 : x > 127 ? 127 : x;
}

/// Returns `x` clamped to the range of int16.
[[gnu::always_inline]] constexpr auto ssat16(std::int32_t x) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::int32_t result = 0;
    if constexpr (has_dsp) asm("ssat %0, #16, %1" : "=r"(result) : "r"(x));
    return result;
  }
  return x < -32768 ? -32768 : x > 32767 ? 32767 : x;
}

/// Loads four bytes at any alignment.
[[gnu::always_inline]] inline auto load_word(const std::int8_t* from) -> std::uint32_t {
  std::uint32_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace baton::cortex_m::detail
