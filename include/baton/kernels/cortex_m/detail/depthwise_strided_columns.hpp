// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Packs columns of the input of a depthwise convolution with stride 2. Each step packs two adjacent columns of three rows, for four
// channels.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

// The number of words of a channel in a block of two columns, and of a whole block. A channel has three words: the two upper rows of the
// first column, the lower row of both columns, and the two upper rows of the second column.
inline constexpr std::int32_t strided_channel_words = 3;
inline constexpr std::int32_t strided_block_words = strided_channel_words * packed_channels;

/// Packs one column, at byte offset `offset` from `rows.first`, as the first column of a block. Keeps the second column.
inline void pack_lone_column(const packed_rows& rows, std::ptrdiff_t offset, std::uint32_t* to) {
  const auto* const from = rows.first + offset;
  const auto a = load_word(from);
  const auto b = load_word(from + rows.second_offset);
  const auto c = load_word(from + rows.third_offset);
  const auto even = pkhbt_lsl16(a, b);
  const auto odd = pkhtb_asr16(b, a);
  const auto lower_even = sxtb16(c);
  const auto lower_odd = sxtb16_ror8(c);
  // `lower` has the input of the lower row in its top half.
  const auto put = [to](std::int32_t q, std::uint32_t upper, std::uint32_t lower) {
    to[strided_channel_words * q] = upper;
    to[strided_channel_words * q + 1] = pkhtb_asr16(to[strided_channel_words * q + 1], lower);
  };
  put(0, sxtb16(even), lower_even << 16);
  put(1, sxtb16_ror8(even), lower_odd << 16);
  put(2, sxtb16(odd), lower_even);
  put(3, sxtb16_ror8(odd), lower_odd);
}

/// Packs blocks until `to` reaches `end`, in portable C++. Columns are `step` bytes apart.
inline void pack_column_pairs_plainly(const packed_rows& rows, std::int32_t step, std::uint32_t* to, const std::uint32_t* end) {
  for (std::ptrdiff_t at = 0; to != end; at += std::ptrdiff_t{2} * step, to += strided_block_words) {
    pack_lone_column(rows, at + step, to);
    for (std::int32_t q = 0; q < strided_block_words; q += strided_channel_words) {
      to[q + 2] = to[q];
      to[q + 1] <<= 16;
    }
    pack_lone_column(rows, at, to);
  }
}

/// Packs columns until `to` reaches `end`. A column takes half a block. If the number of columns is odd, the last column is packed alone.
/// In this case, words of the last block after `end` are also written. Register r7 is the frame pointer in some builds. So the assembly
/// code saves and restores it, and r7 is neither an operand nor a clobber.
[[gnu::noinline]] inline void pack_strided_columns(const packed_rows& rows, std::int32_t step, std::uint32_t* to,
                                                   const std::uint32_t* end) {
  const auto columns = static_cast<std::int32_t>(end - to) / (strided_block_words / 2);
  auto* const end_of_pairs = to + columns / 2 * strided_block_words;
  if (columns % 2 != 0) pack_lone_column(rows, std::ptrdiff_t{columns - 1} * step, end_of_pairs);
  if (to == end_of_pairs) return;
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  register const std::int8_t* a asm("r9") = rows.first;
  register std::ptrdiff_t b asm("r10") = rows.second_offset;
  register std::ptrdiff_t c asm("r11") = rows.third_offset;
  register std::int32_t pitch asm("r12") = step;
  register std::uint32_t* words asm("lr") = to;
  register const std::uint32_t* last asm("r0") = end_of_pairs;
  register std::int32_t is_odd asm("r1") = columns / 2 & 1;
  // Packs two blocks per iteration. If the number of blocks is odd, the first iteration packs only one block. Registers r0 to r2 contain
  // the inputs of channels 0 and 1, r6 to r8 those of channels 2 and 3.
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
      "ldr r3, [r9]\n"
      "ldr r4, [r9, r10]\n"
      "ldr r5, [r9, r11]\n"
      "add r9, r9, r12\n"
      "pkhbt r0, r3, r4, lsl #16\n"
      "pkhtb r6, r4, r3, asr #16\n"
      "ldr r3, [r9]\n"
      "ldr r4, [r9, r10]\n"
      "ldr r1, [r9, r11]\n"
      "add r9, r9, r12\n"
      "pkhbt r2, r3, r4, lsl #16\n"
      "pkhtb r8, r4, r3, asr #16\n"
      "pkhtb r7, r1, r5, asr #16\n"
      "pkhbt r1, r5, r1, lsl #16\n"
      "sxtb16 r3, r0, ror #8\n"
      "sxtb16 r4, r1, ror #8\n"
      "sxtb16 r5, r2, ror #8\n"
      "sxtb16 r0, r0\n"
      "sxtb16 r1, r1\n"
      "sxtb16 r2, r2\n"
      "stmia lr!, {r0-r5}\n"
      "sxtb16 r0, r6\n"
      "sxtb16 r1, r7\n"
      "sxtb16 r2, r8\n"
      "sxtb16 r6, r6, ror #8\n"
      "sxtb16 r7, r7, ror #8\n"
      "sxtb16 r8, r8, ror #8\n"
      "stmia lr!, {r0-r2, r6-r8}\n"
      ".set baton_half, baton_half + 1\n"
      ".endr\n"
      "ldr r0, [sp]\n"
      "cmp lr, r0\n"
      "bne 1b\n"
      "pop {r0, r7}\n"
      : "+r"(a), "+r"(words), "+r"(last), "+r"(is_odd)
      : "r"(b), "r"(c), "r"(pitch)
      : "r2", "r3", "r4", "r5", "r6", "r8", "cc", "memory");
#else
  pack_column_pairs_plainly(rows, step, to, end_of_pairs);
#endif
}

}  // namespace baton::cortex_m::detail
