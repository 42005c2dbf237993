// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The DSP instructions of a Cortex-M4 and later as functions: the instruction where the target has it, elsewhere and in constants plain
// arithmetic. A word holds two halfwords, the bottom one in its low bits; names and meanings are those of the Arm Architecture Reference
// Manual for ARMv7-M.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::cortex_m::detail {

/// Whether the target has them.
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
inline constexpr bool has_dsp = true;
#else
inline constexpr bool has_dsp = false;
#endif

constexpr auto bottom(std::uint32_t word) -> std::int32_t { return static_cast<std::int16_t>(word & 0xffffu); }
constexpr auto top(std::uint32_t word) -> std::int32_t { return static_cast<std::int16_t>(word >> 16); }
/// A word of two halfwords; of each number, the low 16 bits.
constexpr auto halfwords(std::int32_t bottom_half, std::int32_t top_half) -> std::uint32_t {
  return (static_cast<std::uint32_t>(bottom_half) & 0xffffu) | static_cast<std::uint32_t>(top_half) << 16;
}
constexpr auto rotated_right_8(std::uint32_t word) -> std::uint32_t { return word >> 8 | word << 24; }

namespace plain {

/// Sums wrap around, as the instructions' do.
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

/// bottom · bottom + top · top + sum.
[[gnu::always_inline]] constexpr auto smlad(std::uint32_t a, std::uint32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    if constexpr (has_dsp) asm("smlad %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
  }
  return plain::smlad(a, b, sum);
}
/// One product of halfwords + sum; the first letter of the name is the half of a, the second that of b.
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

/// Bytes 0 and 2 as halfwords, signed.
[[gnu::always_inline]] constexpr auto sxtb16(std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("sxtb16 %0, %1" : "=r"(made) : "r"(word));
    return made;
  }
  return plain::sxtb16(word);
}
/// Bytes 1 and 3 as halfwords, signed.
[[gnu::always_inline]] constexpr auto sxtb16_ror8(std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("sxtb16 %0, %1, ror #8" : "=r"(made) : "r"(word));
    return made;
  }
  return plain::sxtb16(rotated_right_8(word));
}
/// The same, added to halfwords.
[[gnu::always_inline]] constexpr auto sxtab16(std::uint32_t sums, std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("sxtab16 %0, %1, %2" : "=r"(made) : "r"(sums), "r"(word));
    return made;
  }
  return plain::sadd16(sums, plain::sxtb16(word));
}
[[gnu::always_inline]] constexpr auto sxtab16_ror8(std::uint32_t sums, std::uint32_t word) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("sxtab16 %0, %1, %2, ror #8" : "=r"(made) : "r"(sums), "r"(word));
    return made;
  }
  return plain::sadd16(sums, plain::sxtb16(rotated_right_8(word)));
}

/// Sums and differences of halfwords; they wrap around.
[[gnu::always_inline]] constexpr auto sadd16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("sadd16 %0, %1, %2" : "=r"(made) : "r"(a), "r"(b));
    return made;
  }
  return plain::sadd16(a, b);
}
[[gnu::always_inline]] constexpr auto ssub16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("ssub16 %0, %1, %2" : "=r"(made) : "r"(a), "r"(b));
    return made;
  }
  return plain::ssub16(a, b);
}

/// The bottom halves of two words: that of a below that of b.
[[gnu::always_inline]] constexpr auto pkhbt_lsl16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("pkhbt %0, %1, %2, lsl #16" : "=r"(made) : "r"(a), "r"(b));
    return made;
  }
  return (a & 0xffffu) | b << 16;
}
/// The top halves of two words: that of b below that of a.
[[gnu::always_inline]] constexpr auto pkhtb_asr16(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::uint32_t made = 0;
    if constexpr (has_dsp) asm("pkhtb %0, %1, %2, asr #16" : "=r"(made) : "r"(a), "r"(b));
    return made;
  }
  return (a & 0xffff0000u) | b >> 16;
}

/// The high half of a · b, plus a sum.
[[gnu::always_inline]] constexpr auto smmla(std::int32_t a, std::int32_t b, std::int32_t sum) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::int32_t made = 0;
    if constexpr (has_dsp) asm("smmla %0, %1, %2, %3" : "=r"(made) : "r"(a), "r"(b), "r"(sum));
    return made;
  }
  return plain::smmla(a, b, sum);
}

/// The nearest number of int8.
[[gnu::always_inline]] constexpr auto ssat8(std::int32_t x) -> std::int32_t {
  if (has_dsp && !std::is_constant_evaluated()) {
    std::int32_t made = 0;
    if constexpr (has_dsp) asm("ssat %0, #8, %1" : "=r"(made) : "r"(x));
    return made;
  }
  return x < -128 ? -128 : x > 127 ? 127 : x;
}

/// Four bytes, wherever they lie.
[[gnu::always_inline]] inline auto load_word(const std::int8_t* from) -> std::uint32_t {
  std::uint32_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace baton::cortex_m::detail
