// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The inner loop of 3 × 3 depthwise convolutions with stride 2. An output takes five multiply instructions: three for the two upper rows,
// and two for the lower row. Four of them compute two products each; one instruction for the lower row computes a single product.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_pair_walk.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_columns.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Returns the number of outputs per iteration of a specialized routine (see `pair_walk`). This number divides the number of outputs per
/// row.
constexpr auto strided_unrolled(std::int32_t outputs, std::int32_t channels) -> std::int32_t {
  std::int32_t result = 1;
  for (std::int32_t n = 2; n <= 6 && n <= outputs; ++n) {
    if (n * channels < 4096 && outputs % n == 0) result = n;
  }
  return result;
}
/// Returns the number of iterations per channel of a specialized routine, not counting the first iteration. Returns 0 if this number does
/// not fit 8 bits.
constexpr auto strided_repetitions(std::int32_t outputs, std::int32_t channels) -> std::int32_t {
  const auto result = outputs / strided_unrolled(outputs, channels) - 1;
  return result < 256 ? result : 0;
}

/// True if the number of iterations per channel, not counting the first, fits 8 bits. `strided_repetitions` then returns this number.
constexpr auto counts_repetitions(std::int32_t outputs, std::int32_t channels) -> bool {
  return outputs / strided_unrolled(outputs, channels) == strided_repetitions(outputs, channels) + 1;
}

/// Writes the block (see `kernel_facts::prepared_blocks`) of a channel in the stream of packed constants (`streams.hpp`). If
/// `has_other_shifts`, the block begins with the shift of the channel, or 0 for the plan's shift. Three words of weights of the two upper
/// rows follow. Then come two words of weights of the lower row: one for both columns of a packed block (`depthwise_strided_columns.hpp`),
/// and one for the remaining column. In the second word, bits 0 to 15 are a weight. Bits 16 to 23 are the correction, or 0 if there is
/// none. Bits 24 to 31 are `strided_repetitions`. Bias, multiplier and offset are last.
constexpr void put_strided_channel(const depthwise_plan& plan, const depthwise_channel& channel, std::int32_t* to) {
  const scaled_channel numbers(plan, channel);
  const auto& weights = numbers.weights;
  to = numbers.put_shift(plan, to);
  for (std::int32_t k = 0; k < 3; ++k) *to++ = static_cast<std::int32_t>(halfwords(weights[k], weights[3 + k]));
  const auto* const lower = weights + 6 + plan.begins_odd();
  *to++ = static_cast<std::int32_t>(halfwords(lower[0], lower[1]));
  const auto correction = plan.corrects_ties != 0 ? channel.correction() : 0;  // at least -128
  const auto top = strided_repetitions(plan.columns.output, plan.channels) << 8 | (correction & 0xff);
  *to++ = static_cast<std::int32_t>(halfwords(weights[plan.begins_odd() != 0 ? 6 : 8], top));
  *to++ = numbers.bias;
  *to++ = numbers.by.multiplier;
  *to = numbers.by.offset;
}

/// Computes the outputs of adjacent channels in one row, in portable C++. Words and stream have the layout that the assembly code uses.
inline void walk_strided_plainly(const pair_walk& walk, pair_memory at) {
  for (; at.count != 0; --at.count, at.words += strided_channel_words, at.stream += walk.stream_words, ++at.first) {
    const auto weight = [&](std::int32_t i) { return static_cast<std::uint32_t>(at.stream[i]); };
    const scaled_requantization by{at.stream[6], at.stream[7], walk.shift};
    const auto* words = at.words;
    for (std::int32_t x = 0; x < walk.outputs; ++x, words += strided_block_words) {
      const auto* const next = words + strided_block_words;
      auto sum = at.stream[5];
      if (walk.begins_odd == 0) {
        sum = smlad(words[1], weight(3), smlad(words[0], weight(0), sum));
        sum = smlad(next[0], weight(2), smlad(words[2], weight(1), sum));
        sum = smlabb(next[1], weight(4), sum);
      } else {
        sum = smlatb(words[1], weight(4), smlad(words[2], weight(0), sum));
        sum = smlad(next[2], weight(2), smlad(next[0], weight(1), sum));
        sum = smlad(next[1], weight(3), sum);
      }
      const auto correction = walk.corrects_ties != 0 && sum < 0 ? static_cast<std::int8_t>(at.stream[4] >> 16) : 0;
      at.first[x * walk.channels] = static_cast<std::int8_t>(requantize_scaled(sum, by, correction));
    }
  }
}

/// The operands of `walk_strided_channels`, in the order in which the assembly code puts them on the stack.
struct strided_operands {
  const std::int32_t* stream;      ///< the constants of the first channel
  const std::int32_t* stream_end;  ///< the end of the constants of the last channel
  const std::uint32_t* words;      ///< the first packed word of the first output
  std::int8_t* to;                 ///< the first output of the first channel
  std::int32_t channels;           ///< the distance between adjacent outputs of a channel, in bytes
  std::int32_t shift;
  std::int32_t skipped;           ///< the bytes between the constants of adjacent channels
  const std::uint32_t* loop_end;  ///< the end of the packed words of the outputs of the first channel
};

/// The operands of `convolve_strided_row`, in the order in which the assembly code puts them on the stack. The number of channels is a
/// multiple of four, and all channels have the plan's shift.
struct strided_row {
  const std::int32_t* stream;      ///< the constants of the first channel
  const std::int32_t* group_end;   ///< the end of the constants of the first four channels
  const std::uint32_t* words;      ///< as in `strided_operands`
  std::int8_t* to;                 ///< the first output of the first channel
  const std::int8_t* first;        ///< the first input to pack, of the first channel
  std::ptrdiff_t second_offset;    ///< `packed_rows::second_offset`
  std::ptrdiff_t third_offset;     ///< `packed_rows::third_offset`
  const std::uint32_t* end;        ///< the end of the blocks to pack
  std::uint32_t* packed;           ///< the first block to pack
  const std::int32_t* stream_end;  ///< the end of the constants of all channels
};

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

/// Computes channels of one output row. If `Packs` is 0, the inputs are already packed, and `operands` points to a `strided_operands`. If
/// `Packs` is 1, the function packs the inputs of four channels at a time, and `operands` points to a `strided_row`. `IsOdd` is 1 if the
/// number of packed blocks of the row is odd.
template <pair_walk Walk, portable::flag Packs, portable::flag IsOdd>
[[gnu::always_inline]] inline void walk_strided_channels(const void* operands) {
  constexpr bool is_shared = Walk.shift == 0;
  constexpr auto unrolled = is_shared ? 1 : strided_unrolled(Walk.outputs, Walk.channels);
  constexpr bool has_loop = is_shared || Walk.outputs > unrolled;
  constexpr bool has_counter = !is_shared && has_loop && counts_repetitions(Walk.outputs, Walk.channels);
  register const void* from asm("r0") = operands;
  // r0-r2: upper weights; r3 and r4: lower weights; the top half of r4 has the correction and the repetitions, as in the stream; r5-r7:
  // bias, multiplier and offset; r8: sum; r9-r11: packed words; r12: address of packed words; lr: output. The stack has the operands, and
  // then r7. Register r7 is restored, because it may be the frame pointer.
  asm volatile(
      // Computes output `i` of an iteration. At the start, r10 and r11 hold two words of packed block `i`, in the order of memory. At the
      // end, they hold the same words of the next block, which is the first block of the next output. Without a loop, the first load and
      // the first store of a channel advance r12 and lr to the next channel.
      ".macro baton_output i\n"
      ".if %c[odd]\n"
      "smlad r8, r11, r0, r5\n"
      "smlatb r8, r10, r4, r8\n"
      "ldr r9, [r12, #48 * (\\i) + 44 - %c[moved]]\n"
      ".else\n"
      "smlad r8, r10, r0, r5\n"
      "smlad r8, r11, r3, r8\n"
      "ldr r9, [r12, #48 * (\\i) + 8 - %c[moved]]\n"
      ".endif\n"
      "smlad r8, r9, r1, r8\n"
      ".if %c[loop] && (\\i) + 1 == %c[unrolled]\n"
      "ldrd r10, r11, [r12, #48 * (\\i) + 48]!\n"
      ".else\n"
      "ldrd r10, r11, [r12, #48 * (\\i) + 48 - %c[moved]]\n"
      ".endif\n"
      ".if %c[odd]\n"
      "smlad r8, r11, r2, r8\n"
      "smlad r8, r10, r3, r8\n"
      ".else\n"
      "smlad r8, r10, r2, r8\n"
      "smlabb r8, r11, r4, r8\n"
      ".endif\n"
      ".if %c[corrects_ties]\n"
      "and r9, r4, r8, asr #31\n"
      ".endif\n"
      "smmla r8, r8, r6, r7\n"
      ".if %c[corrects_ties]\n"
      "sxtab r8, r8, r9, ror #16\n"
      ".endif\n"
      ".if %c[shift] == 0\n"
      "ldr r9, [sp, #20]\n"
      "asr r8, r8, r9\n"
      "ssat r8, #8, r8\n"
      "ldr r9, [sp, #16]\n"
      "strb r8, [lr]\n"
      "add lr, lr, r9\n"
      ".else\n"
      "ssat r8, #8, r8, asr #%c[shift]\n"
      ".if %c[loop] == 0 && (\\i) == 0\n"
      "strb r8, [lr], #1\n"
      ".elseif %c[loop] == 0\n"
      "strb r8, [lr, #%c[step] * (\\i) - 1]\n"
      ".elseif %c[step] < 256\n"
      "strb r8, [lr], #%c[step]\n"
      ".else\n"
      "strb r8, [lr, #%c[step] * (\\i)]\n"
      ".endif\n"
      ".endif\n"
      ".endm\n"
      // Subtracts a constant of any size.
      ".macro baton_back register, bytes\n"
      ".if (\\bytes) < 4096\n"
      "subw \\register, \\register, #\\bytes\n"
      ".else\n"
      "movw r9, #(\\bytes) & 0xffff\n"
      ".if (\\bytes) > 0xffff\n"
      "movt r9, #(\\bytes) >> 16\n"
      ".endif\n"
      "sub \\register, \\register, r9\n"
      ".endif\n"
      ".endm\n"
      // Loads the inputs of a column: r3 from the first row, r4 from the second row, `lower` from the third row.
      ".macro baton_load lower\n"
      "ldr r4, [r9, r10]\n"
      "ldr \\lower, [r9, r11]\n"
      ".if %c[step] < 256\n"
      "ldr r3, [r9], #%c[step]\n"
      ".else\n"
      "ldr r3, [r9]\n"
      "add r9, r9, #%c[step]\n"
      ".endif\n"
      ".endm\n"
      // Packs a block, as in `pack_strided_columns`.
      ".macro baton_pack\n"
      "baton_load r5\n"
      "pkhbt r0, r3, r4, lsl #16\n"
      "pkhtb r6, r4, r3, asr #16\n"
      "baton_load r1\n"
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
      ".endm\n"
      "push {r7}\n"
      ".if %c[packs]\n"
      "ldmia r0, {r0-r6, r8-r10}\n"
      "push {r0-r6, r8-r10}\n"
      "4:\n"
      "add r0, sp, #16\n"
      "ldmia r0, {r9-r12, lr}\n"
      ".if %c[odd_blocks]\n"
      "b 3f\n"
      ".endif\n"
      "2: baton_pack\n"
      "3: baton_pack\n"
      "cmp lr, r12\n"
      "bne 2b\n"
      "ldmia sp, {r8, r9, r12, lr}\n"
      ".else\n"
      "ldmia r0, {r0-r6, r8}\n"
      "push {r0-r6, r8}\n"
      "mov r8, r0\n"
      "ldrd r12, lr, [sp, #8]\n"
      ".endif\n"
      "0:\n"
      "ldmia r8!, {r0-r7}\n"
      ".if %c[shift] == 0\n"
      "ldr r9, [sp, #24]\n"
      "add r8, r8, r9\n"
      ".elseif %c[skipped]\n"
      "add r8, r8, #%c[skipped]\n"
      ".endif\n"
      "str r8, [sp]\n"
      ".if %c[loop]\n"
      "ldrd r10, r11, [r12]\n"
      ".else\n"
      "ldrd r10, r11, [r12], #12\n"
      ".endif\n"
      "1:\n"
      ".set baton_i, 0\n"
      ".rept %c[unrolled]\n"
      "baton_output baton_i\n"
      ".set baton_i, baton_i + 1\n"
      ".endr\n"
      ".if %c[loop] && %c[step] >= 256\n"
      "add lr, lr, #%c[unrolled] * %c[step]\n"
      ".endif\n"
      ".if %c[counter]\n"
      "subs r4, r4, #0x1000000\n"
      "bcs 1b\n"
      ".elseif %c[loop]\n"
      "ldr r8, [sp, #28]\n"
      "cmp r12, r8\n"
      "bne 1b\n"
      "add r8, r8, #12\n"
      "str r8, [sp, #28]\n"
      ".endif\n"
      // Moves on to the next channel.
      ".if %c[shift] == 0\n"
      "ldrd r12, lr, [sp, #8]\n"
      "add r12, r12, #12\n"
      "add lr, lr, #1\n"
      "strd r12, lr, [sp, #8]\n"
      ".elseif %c[loop]\n"
      "baton_back r12, %c[read]\n"
      "baton_back lr, %c[stored]\n"
      ".endif\n"
      "ldrd r8, r9, [sp]\n"
      "cmp r8, r9\n"
      "bne 0b\n"
      ".if %c[packs]\n"
      "ldr r10, [sp, #36]\n"
      "ldr r11, [sp, #16]\n"
      "add r9, r9, #%c[group_bytes]\n"
      "add r11, r11, #4\n"
      "str r9, [sp, #4]\n"
      "strd lr, r11, [sp, #12]\n"
      "cmp r8, r10\n"
      "bne 4b\n"
      "add sp, sp, #40\n"
      ".else\n"
      "add sp, sp, #32\n"
      ".endif\n"
      "pop {r7}\n"
      ".purgem baton_output\n"
      ".purgem baton_back\n"
      ".purgem baton_load\n"
      ".purgem baton_pack\n"
      : "+r"(from)
      : [unrolled] "i"(unrolled), [loop] "i"(has_loop ? 1 : 0), [counter] "i"(has_counter ? 1 : 0), [packs] "i"(Packs),
        [odd_blocks] "i"(IsOdd), [moved] "i"(has_loop ? 0 : 4 * strided_channel_words), [step] "i"(Walk.channels),
        [stored] "i"(Walk.outputs * Walk.channels - 1), [read] "i"(4 * (Walk.outputs * strided_block_words - strided_channel_words)),
        [shift] "i"(Walk.shift), [skipped] "i"(is_shared ? 0 : 4 * (Walk.stream_words - 8)),
        [group_bytes] "i"(4 * packed_channels * Walk.stream_words), [corrects_ties] "i"(Walk.corrects_ties), [odd] "i"(Walk.begins_odd)
      : "r1", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "cc", "memory");
}

#endif

/// Computes adjacent channels of one output row. If the shift of `Walk` is not 0, the routine is specialized for `Walk` and does not use
/// the parameter `at_run_time`. If the shift is 0, layers share the routine, and it reads the parameters of the layer from `at_run_time`.
template <pair_walk Walk>
[[gnu::noinline]] inline void walk_strided(const pair_walk& at_run_time, const pair_memory& at) {
  static constexpr auto static_walk = Walk;  // a copy, because Clang reads parts of a template argument from the wrong address
  const auto& walk = static_walk.shift == 0 ? at_run_time : static_walk;
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  const auto* const begin = at.words + static_walk.begins_odd;
  const strided_operands operands{at.stream,
                                  at.stream + at.count * walk.stream_words,
                                  begin,
                                  at.first,
                                  walk.channels,
                                  walk.shift,
                                  4 * (walk.stream_words - 8),
                                  begin + walk.outputs * strided_block_words};
  walk_strided_channels<Walk, 0, 0>(&operands);
#else
  walk_strided_plainly(walk, at);
#endif
}

/// Packs and computes all channels of an output row, four at a time. `IsOdd` is 1 if the number of packed blocks is odd.
template <pair_walk Walk, portable::flag IsOdd>
[[gnu::noinline]] inline void convolve_strided_row(const strided_row& row) {
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  walk_strided_channels<Walk, 1, IsOdd>(&row);
#else
  static constexpr auto walk = Walk;  // a copy, as in `walk_strided`
  packed_rows rows{row.first, row.second_offset, row.third_offset, 0};
  pair_memory at{row.words - walk.begins_odd, row.stream, row.to, row.to, packed_channels};
  for (; at.stream != row.stream_end; at.stream += packed_channels * walk.stream_words) {
    pack_column_pairs_plainly(rows, walk.channels, row.packed, row.end);
    walk_strided_plainly(walk, at);
    rows.first += packed_channels;
    at.first += packed_channels;
  }
#endif
}

}  // namespace baton::cortex_m::detail
