// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The inner loop of depthwise convolutions at stride 1, over words that pack the inputs of two rows (`depthwise_pairs.hpp`). For targets
// with the DSP extension, the loop is a block of assembly with explicit registers, because compilers would keep fewer values in registers.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_pair_walk.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

/// The type of `walk_pairs`.
using walk_function = void (*)(const pair_walk& at_run_time, const pair_memory& at);
/// Computes adjacent channels of `Rows` output rows. If the shift of `Walk` is not 0, the routine is specialized for `Walk` and does not
/// use the parameter `at_run_time`. If the shift is 0, layers share the routine, and it reads the parameters of the layer from
/// `at_run_time`. A shared routine computes outputs only in pairs. If the number of outputs is odd, the last pair consists of the last two
/// outputs, so the second-to-last output is computed twice.
template <pair_walk Walk, std::int32_t Rows>
[[gnu::noinline]] inline void walk_pairs(const pair_walk& at_run_time, const pair_memory& at) {
  static_assert(Walk.stride == 1);
  static constexpr auto static_walk = Walk;  // a copy, because Clang reads parts of a template argument from the wrong address
  const auto& walk = static_walk.shift == 0 ? at_run_time : static_walk;
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  // `words_end` is the address at which the loop over pairs of outputs ends. `facts_word` holds the shift in bits 0 to 7. Bit 8 is 1 if the
  // number of outputs is odd. Bits from 16 on are the size of a channel's block in the stream (`streams.hpp`), in bytes. `words_end` and
  // `facts_word` are computed here, because no call may occur once register variables are assigned.
  const auto* const words_end = at.words + walk.pairs() * 2 * column_words;
  const std::int32_t facts_word = walk.shift | (walk.is_odd() ? 256 : 0) | 4 * walk.stream_words << 16;
  register const std::int8_t* first asm("r0") = at.first;
  register const std::int8_t* second asm("r1") = at.second;
  register std::int32_t step asm("r2") = walk.channels;
  register const std::uint32_t* last asm("r3") = words_end;
  register std::int32_t facts asm("r4") = facts_word;
  register const std::uint32_t* words asm("r12") = at.words;
  register const std::int32_t* stream asm("lr") = at.stream;
  register std::int32_t left asm("r5") = at.count;
  // r0-r2: upper weights; r3-r5: lower weights; r12: address of packed words; lr: bias. With two rows, r6 and r7 are the sums of the first
  // output column, r8 and r9 the sums of the second output column, and r10 and r11 hold packed words. With one row, r6 and r7 are the sums
  // of two outputs, and r8 to r11 hold packed words. Offsets on the stack, in bytes: `first` 0, `second` 4, `step` 8, `last` 12, `facts`
  // 16, bias 20, multiplier 24, offset 28, correction 32, temporary storage of r12 36. From byte 40 on, r0-r5, r12 and lr are saved, with
  // their values at the start of the channel. The saved r7 is last. Register r7 is the frame pointer in some builds, so it cannot be an
  // operand or a clobber. Instead, the assembly code saves and restores it. Operands cannot be on the stack, because the assembly code
  // changes the stack pointer.
  asm volatile(
      // Loads packed column `k` of a pair of outputs. The first load of an iteration also advances r12 to the next iteration.
      ".macro baton_column upper, lower, k\n"
      ".if baton_at + \\k == 0\n"
      "ldrd \\upper, \\lower, [r12], #%c[span]\n"
      ".else\n"
      "ldrd \\upper, \\lower, [r12, #baton_at + 32 * \\k - %c[span]]\n"
      ".endif\n"
      ".endm\n"
      // Adds a packed column times a column of weights to the sum of one output row (`baton_add`), or to the sums of two output rows
      // (`baton_add_both`).
      ".macro baton_add sum, from, upper, lower, u, l\n"
      "smlad \\sum, \\upper, \\u, \\from\n"
      "smlabt \\sum, \\lower, \\l, \\sum\n"
      ".endm\n"
      ".macro baton_add_both sum, below, from, from_below, upper, lower, u, l\n"
      "smlad \\sum, \\upper, \\u, \\from\n"
      "smlatb \\below, \\upper, \\u, \\from_below\n"
      "smlabt \\sum, \\lower, \\l, \\sum\n"
      "smlad \\below, \\lower, \\l, \\below\n"
      ".endm\n"
      // Computes the high half of a sum times the multiplier, and adds the offset. If `corrects_ties` is set, also adds the correction of a
      // negative sum.
      ".macro baton_scale sum, multiplier, offset, spare, correction\n"
      ".if %c[corrects_ties]\n"
      "and \\spare, \\correction, \\sum, asr #31\n"
      ".endif\n"
      "smmla \\sum, \\sum, \\multiplier, \\offset\n"
      ".if %c[corrects_ties]\n"
      "add \\sum, \\sum, \\spare\n"
      ".endif\n"
      ".endm\n"
      ".macro baton_shift sum, by\n"
      ".if %c[shift] == 0\n"
      "asr \\sum, \\sum, \\by\n"
      "ssat \\sum, #8, \\sum\n"
      ".else\n"
      "ssat \\sum, #8, \\sum, asr #%c[shift]\n"
      ".endif\n"
      ".endm\n"
      "push {r7}\n"
      "0:\n"
      "push {r0-r5, r12, lr}\n"
      ".if %c[corrects_ties]\n"
      "ldmia lr!, {r8-r11}\n"
      ".else\n"
      "ldmia lr!, {r8-r10}\n"
      ".endif\n"
      "push {r0-r4, r8-r12}\n"
      "ldmia lr, {r0-r5}\n"
      "mov lr, r8\n"
      "1:\n"
      ".set baton_at, 0\n"
      ".set baton_out, 0\n"
      ".rept %c[blocks]\n"
      ".if %c[rows] == 2\n"
      // Two rows: two outputs from four columns.
      "baton_column r10, r11, 0\n"
      "baton_add_both r6, r7, lr, lr, r10, r11, r0, r3\n"
      "baton_column r10, r11, 1\n"
      "baton_add_both r6, r7, r6, r7, r10, r11, r1, r4\n"
      "baton_add_both r8, r9, lr, lr, r10, r11, r0, r3\n"
      "baton_column r10, r11, 2\n"
      "baton_add_both r6, r7, r6, r7, r10, r11, r2, r5\n"
      "baton_add_both r8, r9, r8, r9, r10, r11, r1, r4\n"
      "baton_column r10, r11, 3\n"
      "baton_add_both r8, r9, r8, r9, r10, r11, r2, r5\n"
      "ldrd r10, r11, [sp, #24]\n"
      ".if %c[corrects_ties]\n"
      "ldr lr, [sp, #32]\n"
      "str r12, [sp, #36]\n"
      ".endif\n"
      "baton_scale r6, r10, r11, r12, lr\n"
      "baton_scale r7, r10, r11, r12, lr\n"
      "baton_scale r8, r10, r11, r12, lr\n"
      "baton_scale r9, r10, r11, r12, lr\n"
      ".if %c[corrects_ties]\n"
      "ldr lr, [sp, #20]\n"
      "ldr r12, [sp, #36]\n"
      ".endif\n"
      ".if %c[shift] == 0\n"
      "ldr r10, [sp, #16]\n"
      ".else\n"
      "ldrd r10, r11, [sp]\n"
      ".endif\n"
      "baton_shift r7, r10\n"
      "baton_shift r9, r10\n"
      "baton_shift r6, r10\n"
      "baton_shift r8, r10\n"
      ".if %c[shift] == 0\n"
      "ldrd r10, r11, [sp, #4]\n"
      "strb r7, [r10]\n"
      "strb r9, [r10, r11]\n"
      "add r10, r10, r11, lsl #1\n"
      "str r10, [sp, #4]\n"
      "ldr r10, [sp]\n"
      "strb r6, [r10]\n"
      "strb r8, [r10, r11]\n"
      "add r10, r10, r11, lsl #1\n"
      "str r10, [sp]\n"
      ".else\n"
      "strb r7, [r11, #baton_out]\n"
      "strb r9, [r11, #baton_out + %c[step]]\n"
      "strb r6, [r10, #baton_out]\n"
      "strb r8, [r10, #baton_out + %c[step]]\n"
      ".endif\n"
      ".else\n"
      // One row: two outputs from four columns.
      "baton_column r8, r9, 0\n"
      "baton_column r10, r11, 1\n"
      "baton_add r6, lr, r8, r9, r0, r3\n"
      "baton_add r6, r6, r10, r11, r1, r4\n"
      "baton_add r7, lr, r10, r11, r0, r3\n"
      "baton_column r8, r9, 2\n"
      "baton_column r10, r11, 3\n"
      "baton_add r6, r6, r8, r9, r2, r5\n"
      "baton_add r7, r7, r8, r9, r1, r4\n"
      "baton_add r7, r7, r10, r11, r2, r5\n"
      "ldrd r10, r11, [sp, #24]\n"
      ".if %c[corrects_ties]\n"
      "ldr r8, [sp, #32]\n"
      ".endif\n"
      "baton_scale r6, r10, r11, r9, r8\n"
      "baton_scale r7, r10, r11, r9, r8\n"
      "ldr r10, [sp]\n"
      ".if %c[shift] == 0\n"
      "ldr r8, [sp, #16]\n"
      "ldr r11, [sp, #8]\n"
      ".endif\n"
      "baton_shift r6, r8\n"
      "baton_shift r7, r8\n"
      ".if %c[shift] == 0\n"
      "strb r6, [r10]\n"
      "strb r7, [r10, r11]\n"
      "add r10, r10, r11, lsl #1\n"
      "str r10, [sp]\n"
      ".else\n"
      "strb r6, [r10, #baton_out]\n"
      "strb r7, [r10, #baton_out + %c[step]]\n"
      ".endif\n"
      ".endif\n"
      ".set baton_at, baton_at + 64\n"
      ".set baton_out, baton_out + 2 * %c[step]\n"
      ".endr\n"
      ".if %c[shift] == 0\n"
      "ldr r6, [sp, #12]\n"
      "cmp r12, r6\n"
      "bne 1b\n"
      // If the number of outputs is odd, one more iteration computes the last two outputs, so the second-to-last output is computed again.
      // For this, the addresses of words and outputs move back by one output, and the end of the loop moves forward by one output.
      ".if %c[rows] == 2\n"
      "ldr r8, [sp, #16]\n"
      ".endif\n"
      "tst r8, #256\n"
      "beq 3f\n"
      "bic r8, r8, #256\n"
      "str r8, [sp, #16]\n"
      "add r6, r6, #32\n"
      "str r6, [sp, #12]\n"
      "sub r12, r12, #32\n"
      "sub r10, r10, r11\n"
      "str r10, [sp]\n"
      ".if %c[rows] == 2\n"
      "ldr r10, [sp, #4]\n"
      "sub r10, r10, r11\n"
      "str r10, [sp, #4]\n"
      ".endif\n"
      "b 1b\n"
      "3:\n"
      ".else\n"
      ".if %c[loop] || %c[odd]\n"
      "add r10, r10, #2 * %c[blocks] * %c[step]\n"
      ".if %c[rows] == 2\n"
      "add r11, r11, #2 * %c[blocks] * %c[step]\n"
      ".endif\n"
      ".endif\n"
      ".if %c[loop]\n"
      ".if %c[rows] == 2\n"
      "strd r10, r11, [sp]\n"
      ".else\n"
      "str r10, [sp]\n"
      ".endif\n"
      "ldr r6, [sp, #12]\n"
      "cmp r12, r6\n"
      "bne 1b\n"
      ".endif\n"
      // If the number of outputs is odd, computes the last output alone.
      ".if %c[odd]\n"
      "ldrd r8, r9, [r12]\n"
      ".if %c[rows] == 2\n"
      "baton_add_both r6, r7, lr, lr, r8, r9, r0, r3\n"
      "ldrd r8, r9, [r12, #32]\n"
      "baton_add_both r6, r7, r6, r7, r8, r9, r1, r4\n"
      "ldrd r8, r9, [r12, #64]\n"
      "baton_add_both r6, r7, r6, r7, r8, r9, r2, r5\n"
      ".else\n"
      "baton_add r6, lr, r8, r9, r0, r3\n"
      "ldrd r8, r9, [r12, #32]\n"
      "baton_add r6, r6, r8, r9, r1, r4\n"
      "ldrd r8, r9, [r12, #64]\n"
      "baton_add r6, r6, r8, r9, r2, r5\n"
      ".endif\n"
      "ldrd r8, r9, [sp, #24]\n"
      ".if %c[corrects_ties]\n"
      "ldr lr, [sp, #32]\n"
      ".endif\n"
      ".if %c[rows] == 2\n"
      "baton_scale r7, r8, r9, r12, lr\n"
      "baton_shift r7\n"
      "strb r7, [r11]\n"
      ".endif\n"
      "baton_scale r6, r8, r9, r12, lr\n"
      "baton_shift r6\n"
      "strb r6, [r10]\n"
      ".endif\n"
      ".endif\n"
      "add sp, sp, #40\n"
      "pop {r0-r5, r12, lr}\n"
      "add lr, lr, r4, lsr #16\n"
      "add r12, r12, #8\n"
      "adds r3, r3, #8\n"
      "adds r0, r0, #1\n"
      ".if %c[rows] == 2\n"
      "adds r1, r1, #1\n"
      ".endif\n"
      "subs r5, r5, #1\n"
      "bne 0b\n"
      "pop {r7}\n"
      ".purgem baton_column\n"
      ".purgem baton_add\n"
      ".purgem baton_add_both\n"
      ".purgem baton_scale\n"
      ".purgem baton_shift\n"
      : "+r"(left), "+r"(first), "+r"(second), "+r"(step), "+r"(last), "+r"(facts), "+r"(words), "+r"(stream)
      : [rows] "i"(Rows), [blocks] "i"(static_walk.unrolled()), [span] "i"(64 * static_walk.unrolled()), [step] "i"(static_walk.channels),
        [shift] "i"(static_walk.shift), [loop] "i"(static_walk.has_loop() ? 1 : 0), [odd] "i"(static_walk.is_odd() ? 1 : 0),
        [corrects_ties] "i"(static_walk.corrects_ties)
      : "r6", "r8", "r9", "r10", "r11", "cc", "memory");
#else
  walk_pairs_plainly(walk, at);
#endif
}

}  // namespace baton::cortex_m::detail
