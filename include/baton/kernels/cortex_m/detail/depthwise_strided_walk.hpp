// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The inner loop of 3 × 3 depthwise convolutions with stride 2. An output takes five multiplications of two halfwords each: three of the
// two upper rows, and two of the lower row.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_pair_walk.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_columns.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Writes the block of a channel in the stream of packed constants. If `has_other_shifts`, the block begins with the shift of the channel,
/// or 0 for the plan's shift. Three words of weights of the two upper rows follow. Then come two words of weights of the lower row: one for
/// both columns of a block, and one for the remaining column. The second of these words has a weight in its bottom half, and the correction
/// in its top half if `is_signed`. Bias, multiplier and offset are last.
constexpr void put_strided_channel(const depthwise_plan& plan, const depthwise_channel& channel, std::int32_t* to) {
  const scaled_channel numbers(plan, channel);
  const auto& weights = numbers.weights;
  to = numbers.put_shift(plan, to);
  for (std::int32_t k = 0; k < 3; ++k) *to++ = static_cast<std::int32_t>(halfwords(weights[k], weights[3 + k]));
  const auto* const lower = weights + 6 + plan.begins_odd();
  *to++ = static_cast<std::int32_t>(halfwords(lower[0], lower[1]));
  *to++ = static_cast<std::int32_t>(halfwords(weights[plan.begins_odd() != 0 ? 6 : 8], plan.is_signed != 0 ? channel.correction() : 0));
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
      const auto correction = walk.is_signed != 0 && sum < 0 ? at.stream[4] >> 16 : 0;
      at.first[x * walk.channels] = static_cast<std::int8_t>(requantize_scaled(sum, by, correction));
    }
  }
}

/// Returns the number of outputs per iteration of a specialized routine. This number divides the number of outputs per row.
constexpr auto strided_unrolled(const pair_walk& walk) -> std::int32_t {
  std::int32_t result = 1;
  for (std::int32_t n = 2; n <= 6 && n <= walk.outputs; ++n) {
    if (n * walk.channels < 4096 && walk.outputs % n == 0) result = n;
  }
  return result;
}

/// Computes adjacent channels of one output row. If the shift of `Walk` is not 0, the routine is specialized for `Walk` and does not use
/// the parameter `at_run_time`. If the shift is 0, layers share the routine, and it reads the parameters of the layer from `at_run_time`.
template <pair_walk Walk>
[[gnu::noinline]] inline void walk_strided(const pair_walk& at_run_time, const pair_memory& at) {
  static constexpr auto static_walk = Walk;  // a copy, because Clang reads parts of a template argument from the wrong address
  const auto& walk = static_walk.shift == 0 ? at_run_time : static_walk;
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  constexpr bool is_shared = static_walk.shift == 0;
  constexpr auto unrolled = is_shared ? 1 : strided_unrolled(static_walk);
  constexpr bool has_loop = is_shared || static_walk.outputs > unrolled;
  constexpr auto stored = static_walk.outputs * static_walk.channels;
  // All values are computed before register variables are assigned, because no call may occur afterwards.
  const auto* const begin = at.words + static_walk.begins_odd;
  const auto* const words_end = begin + walk.outputs * strided_block_words;
  const auto* const stream_end = at.stream + at.count * walk.stream_words;
  const std::int32_t skipped = 4 * (walk.stream_words - 8);
  const std::int32_t distance = walk.channels;
  const std::int32_t shift = walk.shift;
  register const std::int32_t* first_stream asm("r0") = at.stream;
  register const std::int32_t* last_stream asm("r1") = stream_end;
  register const std::uint32_t* loop_end asm("r2") = words_end;
  register std::int32_t step asm("r3") = distance;
  register std::int32_t by asm("r4") = shift;
  register std::int32_t skip asm("r5") = skipped;
  register const std::uint32_t* words asm("r12") = begin;
  register std::int8_t* to asm("lr") = at.first;
  // r0-r2: upper weights; r3 and r4: lower weights, and the correction in the top half of r4; r5-r7: bias, multiplier and offset; r8: sum;
  // r9-r11: packed words; r12: address of packed words; lr: output. Stack layout: 0 stream, 4 end of the stream, 8 end of the loop, 12
  // channels, 16 shift, 20 skipped bytes of the stream, 28 words and 32 output of the channel, 36 r7. r7 is restored, because it may be the
  // frame pointer.
  asm volatile(
      // Computes output `i` of an iteration. Before, r10 and r11 hold two words of block `i`, in the order of memory. Afterwards, they hold
      // the same words of the next block, which is the first block of the next output.
      ".macro baton_output i\n"
      ".if %c[odd]\n"
      "smlad r8, r11, r0, r5\n"
      "smlatb r8, r10, r4, r8\n"
      "ldr r9, [r12, #48 * (\\i) + 44]\n"
      ".else\n"
      "smlad r8, r10, r0, r5\n"
      "smlad r8, r11, r3, r8\n"
      "ldr r9, [r12, #48 * (\\i) + 8]\n"
      ".endif\n"
      "smlad r8, r9, r1, r8\n"
      ".if (\\i) + 1 == %c[unrolled]\n"
      "ldrd r10, r11, [r12, #48 * (\\i) + 48]!\n"
      ".else\n"
      "ldrd r10, r11, [r12, #48 * (\\i) + 48]\n"
      ".endif\n"
      ".if %c[odd]\n"
      "smlad r8, r11, r2, r8\n"
      "smlad r8, r10, r3, r8\n"
      ".else\n"
      "smlad r8, r10, r2, r8\n"
      "smlabb r8, r11, r4, r8\n"
      ".endif\n"
      ".if %c[is_signed]\n"
      "and r9, r4, r8, asr #31\n"
      ".endif\n"
      "smmla r8, r8, r6, r7\n"
      ".if %c[is_signed]\n"
      "add r8, r8, r9, asr #16\n"
      ".endif\n"
      ".if %c[shift] == 0\n"
      "ldr r9, [sp, #16]\n"
      "asr r8, r8, r9\n"
      "ssat r8, #8, r8\n"
      "ldr r9, [sp, #12]\n"
      "strb r8, [lr]\n"
      "add lr, lr, r9\n"
      ".else\n"
      "ssat r8, #8, r8, asr #%c[shift]\n"
      "strb r8, [lr, #%c[step] * (\\i)]\n"
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
      "mov r8, r0\n"
      "push {r7}\n"
      "push {r0-r6, r12, lr}\n"
      "0:\n"
      "ldmia r8!, {r0-r7}\n"
      ".if %c[shift] == 0\n"
      "ldr r9, [sp, #20]\n"
      "add r8, r8, r9\n"
      ".elseif %c[skipped]\n"
      "add r8, r8, #%c[skipped]\n"
      ".endif\n"
      "str r8, [sp]\n"
      "ldrd r10, r11, [r12]\n"
      "1:\n"
      ".set baton_i, 0\n"
      ".rept %c[unrolled]\n"
      "baton_output baton_i\n"
      ".set baton_i, baton_i + 1\n"
      ".endr\n"
      ".if %c[stored]\n"
      "add lr, lr, #%c[unrolled] * %c[step]\n"
      ".endif\n"
      ".if %c[loop]\n"
      "ldr r8, [sp, #8]\n"
      "cmp r12, r8\n"
      "bne 1b\n"
      "add r8, r8, #12\n"
      "str r8, [sp, #8]\n"
      ".endif\n"
      // Moves on to the next channel.
      ".if %c[shift] == 0\n"
      "ldrd r12, lr, [sp, #28]\n"
      "add r12, r12, #12\n"
      "add lr, lr, #1\n"
      "strd r12, lr, [sp, #28]\n"
      ".else\n"
      "baton_back r12, %c[read]\n"
      ".if %c[stored]\n"
      "baton_back lr, %c[stored_rest]\n"
      ".else\n"
      "add lr, lr, #1\n"
      ".endif\n"
      ".endif\n"
      "ldrd r8, r9, [sp]\n"
      "cmp r8, r9\n"
      "bne 0b\n"
      "add sp, sp, #36\n"
      "pop {r7}\n"
      ".purgem baton_output\n"
      ".purgem baton_back\n"
      : "+r"(first_stream), "+r"(last_stream), "+r"(loop_end), "+r"(step), "+r"(by), "+r"(skip), "+r"(words), "+r"(to)
      : [unrolled] "i"(unrolled), [loop] "i"(has_loop ? 1 : 0), [step] "i"(static_walk.channels),
        [stored] "i"(!is_shared && has_loop ? stored : 0), [stored_rest] "i"(stored - 1),
        [read] "i"(4 * (static_walk.outputs * strided_block_words - strided_channel_words)), [shift] "i"(static_walk.shift),
        [skipped] "i"(is_shared ? 0 : 4 * (static_walk.stream_words - 8)), [is_signed] "i"(static_walk.is_signed),
        [odd] "i"(static_walk.begins_odd)
      : "r6", "r8", "r9", "r10", "r11", "cc", "memory");
#else
  walk_strided_plainly(walk, at);
#endif
}

}  // namespace baton::cortex_m::detail
