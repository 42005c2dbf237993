// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Packs columns of a depthwise convolution's input. A column has the elements of four channels in three or four rows. Each word holds the
// elements of one channel in two rows.
#pragma once

#include <baton/kernels/cortex_m/detail/instructions.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// The number of channels in a group. The bytes of a group fill one word.
inline constexpr std::int32_t packed_channels = 4;

// The number of words of a packed column. For each of four channels, a column has a word of the two upper rows and a word of the two lower
// rows.
inline constexpr std::int32_t column_words = 2 * packed_channels;

/// Three or four rows of a group of channels. `first` is an address in the first row, at the first column to pack. `second_offset`,
/// `third_offset` and `fourth_offset` are the offsets of the other rows from the first row, in bytes.
struct packed_rows {
  const std::int8_t* first;
  std::ptrdiff_t second_offset;
  std::ptrdiff_t third_offset;
  std::ptrdiff_t fourth_offset;
};

/// Packs columns that are `step` bytes apart until `to` reaches `end`, in portable C++. If `HasFour` is false, there are three rows, and
/// nothing reads the halfwords of the fourth row.
template <bool HasFour>
inline void pack_columns_plainly(const packed_rows& rows, std::int32_t step, std::uint32_t* to, const std::uint32_t* end) {
  for (const auto* from = rows.first; to != end; from += step) {
    const auto a = load_word(from);
    const auto b = load_word(from + rows.second_offset);
    const auto c = load_word(from + rows.third_offset);
    const auto d = HasFour ? load_word(from + rows.fourth_offset) : 0u;
    const auto upper_even = pkhbt_lsl16(a, b);
    const auto upper_odd = pkhtb_asr16(b, a);
    const auto lower_even = pkhbt_lsl16(c, d);
    const auto lower_odd = pkhtb_asr16(d, c);
    *to++ = sxtb16(upper_even);
    *to++ = sxtb16(lower_even);
    *to++ = sxtb16_ror8(upper_even);
    *to++ = sxtb16_ror8(lower_even);
    *to++ = sxtb16(upper_odd);
    *to++ = sxtb16(lower_odd);
    *to++ = sxtb16_ror8(upper_odd);
    *to++ = sxtb16_ror8(lower_odd);
  }
}

/// Like `pack_columns_plainly`, but in assembly if the target has the DSP extension. Register r7 is the frame pointer in some builds. So
/// the assembly code saves and restores it, and r7 is neither an operand nor a clobber.
template <bool HasFour>
[[gnu::noinline]] inline void pack_columns(const packed_rows& rows, std::int32_t step, std::uint32_t* to, const std::uint32_t* end) {
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  // Packs two columns per iteration. If the number of columns is odd, the first iteration packs only one column.
  const auto is_odd = static_cast<std::int32_t>((end - to) / column_words) & 1;
  register const std::int8_t* a asm("r8") = rows.first;
  register std::ptrdiff_t b asm("r9") = rows.second_offset;
  register std::ptrdiff_t c asm("r10") = rows.third_offset;
  register std::ptrdiff_t d asm("r11") = rows.fourth_offset;
  register std::uint32_t* words asm("r12") = to;
  register std::int32_t pitch asm("lr") = step;
  register const std::uint32_t* last asm("r0") = end;
  register std::int32_t odd asm("r1") = is_odd;
  asm volatile(
      "push {r0, r7}\n"
      "cmp r1, #0\n"
      "bne 2f\n"
      "1:\n"
      ".set baton_half, 0\n"
      ".rept 2\n"
      ".if baton_half == 1\n"
      "2:\n"
      ".endif\n"
      "ldr r0, [r8]\n"
      "ldr r4, [r8, r9]\n"
      "ldr r1, [r8, r10]\n"
      ".if %c[four]\n"
      "ldr r5, [r8, r11]\n"
      ".endif\n"
      "add r8, r8, lr\n"
      "pkhbt r2, r0, r4, lsl #16\n"
      "pkhtb r6, r4, r0, asr #16\n"
      "sxtb16 r0, r2\n"
      "sxtb16 r2, r2, ror #8\n"
      "sxtb16 r4, r6\n"
      "sxtb16 r6, r6, ror #8\n"
      ".if %c[four]\n"
      "pkhbt r3, r1, r5, lsl #16\n"
      "pkhtb r7, r5, r1, asr #16\n"
      "sxtb16 r1, r3\n"
      "sxtb16 r3, r3, ror #8\n"
      "sxtb16 r5, r7\n"
      "sxtb16 r7, r7, ror #8\n"
      ".else\n"
      "sxtb r3, r1, ror #8\n"
      "sxtb r5, r1, ror #16\n"
      "sxtb r7, r1, ror #24\n"
      "sxtb r1, r1\n"
      ".endif\n"
      "stmia r12!, {r0-r7}\n"
      ".set baton_half, baton_half + 1\n"
      ".endr\n"
      "ldr r0, [sp]\n"
      "cmp r12, r0\n"
      "bne 1b\n"
      "pop {r0, r7}\n"
      : "+r"(a), "+r"(words), "+r"(last), "+r"(odd)
      : "r"(b), "r"(c), "r"(d), "r"(pitch), [four] "i"(HasFour ? 1 : 0)
      : "r2", "r3", "r4", "r5", "r6", "cc", "memory");
#else
  pack_columns_plainly<HasFour>(rows, step, to, end);
#endif
}

/// The type of `pack_columns`.
using pack_function = void (*)(const packed_rows& rows, std::int32_t step, std::uint32_t* to, const std::uint32_t* end);

}  // namespace baton::cortex_m::detail
