// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The engines of a convolution (see `convolve.hpp`) for targets with the DSP extension. Each inner loop is a block of assembly with
// explicit registers, because compilers do not load several registers with one instruction. The products are added to 2 × 2 sums at a time:
// of two pixels and two channels. More sums do not fit the registers together with the inputs, weights and addresses.
#pragma once

#include <baton/kernels/cortex_m/detail/convolution.hpp>
#include <baton/kernels/cortex_m/detail/convolve.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>

#include <cstdint>
#include <numeric>

namespace baton::cortex_m::detail {

/// The variant of an inner loop. The type is structural, so that layers with the same variant share the code.
struct block_code {
  std::int32_t is_wide = 0;        ///< whether weights are stored in 16 bits (`sum_encoding::is_wide`)
  std::int32_t is_segmented = 0;   ///< whether products are summed in segments (`sum_encoding::is_segmented`)
  std::int32_t is_compact = 0;     ///< whether the stream omits shifts and some weights (`sum_encoding::is_compact`)
  std::int32_t unrolled = 1;       ///< groups of eight products per iteration
  std::int32_t is_loop = 1;        ///< whether the inner loop may have more than one iteration
  std::int32_t has_four_more = 0;  ///< whether four products remain after the groups of eight
  std::int32_t shift = 0;          ///< the right shift of all channels; if 0, each channel has its own
  std::int32_t corrects_ties = 0;  ///< whether negative sums get the correction (`correction_of`)
  std::int32_t sign_shift = 7;  ///< the correction is the sign of the sum (-1 or 0), shifted left by this; if 0, by the channel's last word
                                ///< in the stream (`convolution_stream.hpp`)
  std::int32_t below = 0;       ///< distance of the activation's lower bound from -128
  std::int32_t above = 0;       ///< distance of the activation's upper bound from 127
  std::int32_t pixels = 2;  ///< 2, or 1 for a lone pixel. Its inputs are still expanded (`expand_fours`) as those of both pixels of a pair
};

/// The maximum number of groups of eight products per iteration. Long loops have a smaller limit, because the overhead of an iteration
/// matters less. Loops of a lone pixel also have the smaller limit, to save code.
inline constexpr std::int32_t max_unrolled = 8;
inline constexpr std::int32_t many_eights = 32;  ///< a loop over more groups is long
inline constexpr std::int32_t max_unrolled_of_many = 4;
/// Returns the largest divisor of `eights` up to `limit`.
constexpr auto unrolled_eights(std::int32_t eights, std::int32_t limit) -> std::int32_t {
  auto result = eights < limit ? eights : limit;
  while (result > 1 && eights % result != 0) --result;
  return result;
}

constexpr auto block_code_of(const convolution& plan, optimize_for goal, std::int32_t pixels = 2) -> block_code {
  const auto eights = plan.depth() / 8;
  block_code code;
  code.is_wide = plan.encoding.is_wide;
  code.is_segmented = plan.encoding.is_segmented;
  code.is_compact = plan.encoding.is_compact;
  code.pixels = pixels;
  if (goal == optimize_for::speed) {
    const auto divided = code.is_segmented != 0 ? std::gcd(eights, segment_products / 8) : eights;
    code.unrolled = unrolled_eights(divided, eights > many_eights || pixels == 1 ? max_unrolled_of_many : max_unrolled);
    code.is_loop = code.is_segmented != 0 || eights > code.unrolled;
    code.has_four_more = plan.depth() % 8 != 0;
  }
  code.shift = plan.encoding.shift;
  code.corrects_ties = plan.encoding.corrects_ties;
  // If a layer rounds twice and does not need the correction, the correction never changes its outputs. In long loops, the correction is a
  // small fraction of the work. So layers that round twice, with long loops and a shift per channel, always use the code with the
  // correction, and share one routine.
  if (code.shift == 0 && eights > many_eights && plan.round == quantized::rounding::twice) code.corrects_ties = 1;
  code.sign_shift = plan.encoding.scale != 0 && code.corrects_ties != 0 ? plan.encoding.scale - 1 : 0;
  if (plan.range.lower == plan.range.upper) return code;  // all outputs are constant
  code.below = plan.range.lower + 128;
  code.above = 127 - plan.range.upper;
  return code;
}
/// Returns a word of four equal bytes.
constexpr auto four_bytes(std::int32_t byte) -> std::int32_t { return byte * 0x01010101; }

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

// r7 is the frame pointer in some builds, so it cannot be an operand or a clobber. Instead, the assembly code saves and restores it.
// Operands cannot be on the stack, because the assembly code changes the stack pointer.

/// Computes all pairs of channels of a stream for two pixels, or for pixel `a` alone if `Code.pixels` is 1. `loop_end` is the end of the
/// expanded inputs that the loop multiplies. A compact stream has no weights for the first expanded inputs, which are 0. As their weights,
/// the loop reads the `skipped` bytes before the first weight. These bytes may have any values. The parameters are in the order of the
/// registers, so that the compiler moves fewer registers.
template <block_code Code>
[[gnu::always_inline]] inline void multiply(std::int8_t* b, std::int8_t* a, const std::uint32_t* stream_end, const std::uint32_t* expanded,
                                            const std::uint32_t* loop_end, const std::uint32_t* stream, std::int32_t skipped) {
  register std::int8_t* to_b asm("r0") = b;
  register std::int8_t* to_a asm("r1") = a;
  register const std::uint32_t* end asm("r2") = stream_end;
  register const std::uint32_t* x asm("r3") = expanded;
  register const std::uint32_t* x_end asm("r4") = loop_end;
  register const std::uint32_t* w asm("lr") = stream;
  register std::int32_t skip asm("r5") = skipped;
  // Sums: r8 and r9 for pixel a, r10 and r11 for pixel b if there are two.
  asm volatile(
      // Multiplies the weights of two channels (w and v) with the inputs of two pixels (a and b).
      ".macro baton_multiply w v a b\n"
      "smlad r8,\\w,\\a,r8\n .if %c[TWO]\n smlad r10,\\w,\\b,r10\n .endif\n"
      "smlad r9,\\v,\\a,r9\n .if %c[TWO]\n smlad r11,\\v,\\b,r11\n .endif\n"
      ".endm\n"
      // Stack layout: `to_b`, `to_a`, `end`, `x`, `x_end`, r7. With a compact stream, `skip` (the number of skipped bytes) is before
      // `to_b`. With segments, the sums of all segments so far and the end of the segment are after r7.
      ".if %c[SEGMENTED]\n sub sp,#20\n .endif\n"
      "push {r0-r4,r7}\n mov r12,r3\n"
      ".if %c[COMPACT]\n push {r5}\n mov r0,r5\n .endif\n"
      "1: ldmia lr!,{r8,r9}\n .if %c[COMPACT]\n sub lr,lr,r0\n .endif\n"
      " .if %c[TWO]\n mov r10,r8\n mov r11,r9\n .endif\n"
      ".if %c[SEGMENTED]\n"
      "add r4,sp,#24\n stmia r4,{r8-r11}\n"
      "3: mov r8,#0\n mov r9,#0\n .if %c[TWO]\n mov r10,#0\n mov r11,#0\n .endif\n"
      "addw r0,r12,%[SEGMENT]\n ldr r1,[sp,#16]\n cmp r0,r1\n it hi\n movhi r0,r1\n str r0,[sp,#40]\n"
      ".endif\n"
      "2:\n .rept %c[UNROLLED]\n"
      ".if %c[WIDE]\n"
      ".rept 2\n ldmia lr!,{r4-r7}\n ldmia r12!,{r0-r3}\n"
      "baton_multiply r4 r5 r0 r1\n"
      "baton_multiply r6 r7 r2 r3\n"
      ".endr\n"
      ".else\n"
      "ldmia lr!,{r4-r7}\n ldmia r12!,{r0-r3}\n"
      "baton_multiply r4 r5 r0 r1\n"
      "sxtb16 r4,r4\n sxtb16 r5,r5\n"
      "baton_multiply r4 r5 r2 r3\n"
      "ldmia r12!,{r0-r3}\n"
      "baton_multiply r6 r7 r0 r1\n"
      "sxtb16 r6,r6\n sxtb16 r7,r7\n"
      "baton_multiply r6 r7 r2 r3\n"
      ".endif\n"
      ".endr\n"
      ".if %c[LOOP]\n ldr r0,[sp,#16 + 4 * %c[COMPACT] + 24 * %c[SEGMENTED]]\n cmp r12,r0\n bne 2b\n .endif\n"
      ".if %c[FOUR]\n"
      ".if %c[WIDE]\n ldmia lr!,{r4-r7}\n .else\n ldmia lr!,{r4,r5}\n .endif\n"
      "ldmia r12!,{r0-r3}\n"
      "baton_multiply r4 r5 r0 r1\n"
      ".if %c[WIDE]\n"
      "baton_multiply r6 r7 r2 r3\n"
      ".else\n"
      "sxtb16 r4,r4\n sxtb16 r5,r5\n"
      "baton_multiply r4 r5 r2 r3\n"
      ".endif\n"
      ".endif\n"
      ".if %c[SEGMENTED]\n"
      "add r4,sp,#24\n ldmia r4,{r0-r3}\n"
      "add r8,r0,r8,asr %[FOLD]\n add r9,r1,r9,asr %[FOLD]\n"
      ".if %c[TWO]\n add r10,r2,r10,asr %[FOLD]\n add r11,r3,r11,asr %[FOLD]\n .endif\n"
      "stmia r4,{r8-r11}\n ldr r0,[sp,#16]\n cmp r12,r0\n bne 3b\n"
      ".endif\n"
      // Compact: r0 and r1 hold the multiplier and offset of the first channel, r2 and r3 those of the second channel.
      ".if %c[COMPACT]\n ldmia lr!,{r0-r3}\n"
      ".if %c[CORRECTED]\n asr r6,r8,#31\n asr r7,r10,#31\n .endif\n"
      "smmla r4,r8,r0,r1\n smmla r5,r10,r0,r1\n"
      ".if %c[CORRECTED]\n add r4,r4,r6,lsl %[SIGN]\n add r5,r5,r7,lsl %[SIGN]\n asr r6,r9,#31\n asr r7,r11,#31\n .endif\n"
      "smmla r0,r9,r2,r3\n smmla r1,r11,r2,r3\n"
      ".if %c[CORRECTED]\n add r0,r0,r6,lsl %[SIGN]\n add r1,r1,r7,lsl %[SIGN]\n .endif\n"
      "asr r4,r4,r8\n asr r5,r5,r10\n asr r0,r0,r9\n asr r1,r1,r11\n"
      "ssat r8,#8,r4\n ssat r10,#8,r5\n ssat r9,#8,r0\n ssat r11,#8,r1\n"
      ".else\n"
      // Not compact: r0 to r2 hold the multiplier, offset and shift of the first channel, r3 to r5 those of the second channel.
      "ldmia lr!,{r0-r5}\n"
      ".if %c[CORRECTED]\n asr r6,r8,#31\n .if %c[TWO]\n asr r7,r10,#31\n .endif\n .endif\n"
      "smmla r8,r8,r0,r1\n .if %c[TWO]\n smmla r10,r10,r0,r1\n .endif\n"
      ".if %c[CORRECTED]\n"
      ".if %c[SIGN]==0\n lsl r6,r6,r2\n add r8,r8,r6\n .if %c[TWO]\n lsl r7,r7,r2\n add r10,r10,r7\n .endif\n"
      ".else\n add r8,r8,r6,lsl %[SIGN]\n .if %c[TWO]\n add r10,r10,r7,lsl %[SIGN]\n .endif\n .endif\n"
      "asr r6,r9,#31\n .if %c[TWO]\n asr r7,r11,#31\n .endif\n"
      ".endif\n"
      "smmla r9,r9,r3,r4\n .if %c[TWO]\n smmla r11,r11,r3,r4\n .endif\n"
      ".if %c[CORRECTED]\n"
      ".if %c[SIGN]==0\n lsl r6,r6,r5\n add r9,r9,r6\n .if %c[TWO]\n lsl r7,r7,r5\n add r11,r11,r7\n .endif\n"
      ".else\n add r9,r9,r6,lsl %[SIGN]\n .if %c[TWO]\n add r11,r11,r7,lsl %[SIGN]\n .endif\n .endif\n"
      ".endif\n"
      ".if %c[SHIFT]\n"
      "ssat r8,#8,r8,asr %[SHIFT]\n ssat r9,#8,r9,asr %[SHIFT]\n"
      ".if %c[TWO]\n ssat r10,#8,r10,asr %[SHIFT]\n ssat r11,#8,r11,asr %[SHIFT]\n .endif\n"
      ".else\n"
      "asr r8,r8,r2\n asr r9,r9,r5\n ssat r8,#8,r8\n ssat r9,#8,r9\n"
      ".if %c[TWO]\n asr r10,r10,r2\n asr r11,r11,r5\n ssat r10,#8,r10\n ssat r11,#8,r11\n .endif\n"
      ".endif\n"
      ".endif\n"
      // Clamps the four bytes of a word to the activation's range. For the upper bound, adds its distance from 127 with saturation, then
      // subtracts the distance again. For the lower bound, subtracts its distance from -128 first. A signed byte is at most 127, so a
      // larger distance is added and subtracted in two parts.
      ".if %c[ABOVE]+%c[BELOW]\n bfi r8,r9,#8,#8\n .if %c[TWO]\n bfi r8,r10,#16,#8\n bfi r8,r11,#24,#8\n .endif\n"
      ".if %c[ABOVE]\n mov r0,%[ABOVE]\n .if %c[ABOVE2]\n mov r1,%[ABOVE2]\n qadd8 r8,r8,r1\n .endif\n"
      "qadd8 r8,r8,r0\n qsub8 r8,r8,r0\n .if %c[ABOVE2]\n qsub8 r8,r8,r1\n .endif\n .endif\n"
      ".if %c[BELOW]\n mov r0,%[BELOW]\n .if %c[BELOW2]\n mov r1,%[BELOW2]\n qsub8 r8,r8,r1\n .endif\n"
      "qsub8 r8,r8,r0\n qadd8 r8,r8,r0\n .if %c[BELOW2]\n qadd8 r8,r8,r1\n .endif\n .endif\n"
      "lsr r9,r8,#8\n .if %c[TWO]\n lsr r10,r8,#16\n lsr r11,r8,#24\n .endif\n"
      ".endif\n"
      ".if %c[COMPACT]\n ldmia sp,{r0,r5,r6,r7,r12}\n .else\n ldmia sp,{r5,r6,r7,r12}\n .endif\n"
      "strb r9,[r6,#1]\n strb r8,[r6],#2\n .if %c[TWO]\n strb r11,[r5,#1]\n strb r10,[r5],#2\n .endif\n"
      ".if %c[COMPACT]\n strd r5,r6,[sp,#4]\n .else\n stmia sp,{r5,r6}\n .endif\n"
      "cmp lr,r7\n bne 1b\n"
      "add sp,#20 + 4 * %c[COMPACT]\n pop {r7}\n"
      ".if %c[SEGMENTED]\n add sp,#20\n .endif\n"
      ".purgem baton_multiply\n"
      : "+r"(to_b), "+r"(to_a), "+r"(end), "+r"(x), "+r"(x_end), "+r"(w), "+r"(skip)
      : [TWO] "i"(Code.pixels == 2 ? 1 : 0), [UNROLLED] "i"(Code.unrolled), [LOOP] "i"(Code.is_loop), [FOUR] "i"(Code.has_four_more),
        [WIDE] "i"(Code.is_wide), [SEGMENTED] "i"(Code.is_segmented), [COMPACT] "i"(Code.is_compact), [SEGMENT] "i"(4 * segment_products),
        [FOLD] "i"(packed_bits - folded_bits), [SHIFT] "i"(Code.shift), [CORRECTED] "i"(Code.corrects_ties), [SIGN] "i"(Code.sign_shift),
        [BELOW] "i"(four_bytes(Code.below < 127 ? Code.below : 127)), [BELOW2] "i"(four_bytes(Code.below < 127 ? 0 : Code.below - 127)),
        [ABOVE] "i"(four_bytes(Code.above < 127 ? Code.above : 127)), [ABOVE2] "i"(four_bytes(Code.above < 127 ? 0 : Code.above - 127))
      : "r6", "r8", "r9", "r10", "r11", "r12", "cc", "memory");
}
/// Like `multiply`, for streams that are not compact.
template <block_code Code>
[[gnu::noinline]] void multiply_pairs(std::int8_t* b, std::int8_t* a, const std::uint32_t* stream_end, const std::uint32_t* expanded,
                                      const std::uint32_t* loop_end, const std::uint32_t* stream) {
  multiply<Code>(b, a, stream_end, expanded, loop_end, stream, 0);
}
/// Like `multiply`, for layers that share code.
template <block_code Code>
[[gnu::noinline]] void multiply_shared(std::int8_t* b, std::int8_t* a, const std::uint32_t* stream_end, const std::uint32_t* expanded,
                                       const std::uint32_t* loop_end, const std::uint32_t* stream, std::int32_t skipped) {
  multiply<Code>(b, a, stream_end, expanded, loop_end, stream, skipped);
}

/// Expands `times` · `Unrolled` groups of inputs to 16 bits (`streams.hpp`). A group has four inputs of each of two pixels, and becomes two
/// words for each pixel. An iteration expands `Unrolled` groups. In both windows, adjacent groups are `Step` bytes apart.
template <bool IsWide, std::int32_t Unrolled, bool IsLoop, std::int32_t Step>
[[gnu::always_inline]] inline auto expand_fours(std::uint32_t* to, const std::int8_t* a, const std::int8_t* b, std::int32_t times)
    -> std::uint32_t* {
  register std::uint32_t* out asm("r12") = to;
  register const std::int8_t* from_a asm("r8") = a;
  register const std::int8_t* from_b asm("r9") = b;
  register std::int32_t left asm("lr") = times;
  asm volatile(
      ".if %c[WIDE]==0\n movw r10,#0xff81\n movt r10,#0xff81\n mov r11,#0xff00ff00\n .endif\n"
      "1: .rept %c[UNROLLED]\n"
      "ldr r4,[r8],%[STEP]\n ldr r5,[r9],%[STEP]\n"
      ".if %c[WIDE]\n"
      "sxtb16 r0,r4\n sxtb16 r1,r5\n sxtb16 r2,r4,ror #8\n sxtb16 r3,r5,ror #8\n"
      ".else\n"
      "sxtab16 r0,r10,r4,ror #8\n sxtab16 r1,r10,r5,ror #8\n and r2,r11,r4,lsl #8\n and r3,r11,r5,lsl #8\n"
      "ssub16 r2,r2,r0\n ssub16 r3,r3,r1\n"
      ".endif\n"
      "stmia r12!,{r0-r3}\n"
      ".endr\n"
      ".if %c[LOOP]\n subs lr,#1\n bne 1b\n .endif\n"
      : "+r"(out), "+r"(from_a), "+r"(from_b), "+r"(left)
      : [UNROLLED] "i"(Unrolled), [WIDE] "i"(IsWide ? 1 : 0), [LOOP] "i"(IsLoop ? 1 : 0), [STEP] "i"(Step)
      : "r0", "r1", "r2", "r3", "r4", "r5", "r10", "r11", "cc", "memory");
  return out;
}

/// Returns the number of groups per iteration: the largest supported divisor of `fours`.
constexpr auto unrolled_fours(std::int32_t fours) -> std::int32_t {
  return fours % 8 == 0 ? 8 : fours % 4 == 0 ? 4 : fours % 3 == 0 ? 3 : fours % 2 == 0 ? 2 : 1;
}
/// Expands `Rows` rows of `Fours` groups each; rows are `pitch` bytes apart.
template <bool IsWide, std::int32_t Fours, std::int32_t Rows, std::int32_t Step = 4>
[[gnu::noinline]] void expand_filter(std::uint32_t* to, const std::int8_t* a, const std::int8_t* b, std::int32_t pitch) {
  constexpr auto unrolled = unrolled_fours(Fours);
  constexpr bool is_loop = Fours != unrolled;
  for (std::int32_t row = 0; row < Rows; ++row) {
    to = expand_fours<IsWide, unrolled, is_loop, Step>(to, a, b, Fours / unrolled);
    a += pitch;
    b += pitch;
  }
}
/// Like `expand_filter`, for several long rows. Filters with equal `Unrolled` share this function. `times` is the number of iterations per
/// row.
template <bool IsWide, std::int32_t Unrolled>
[[gnu::noinline]] void expand_long_rows(std::uint32_t* to, const std::int8_t* a, const std::int8_t* b, std::int32_t pitch,
                                        std::int32_t rows, std::int32_t times) {
  for (std::int32_t row = 0; row < rows; ++row) {
    to = expand_fours<IsWide, Unrolled, true, 4>(to, a, b, times);
    a += pitch;
    b += pitch;
  }
}
/// Expands one row of `fours` groups; `fours` is known only at run time.
template <bool IsWide>
[[gnu::noinline]] auto expand_some(std::uint32_t* to, const std::int8_t* a, const std::int8_t* b, std::int32_t fours) -> std::uint32_t* {
  return expand_fours<IsWide, 1, true, 4>(to, a, b, fours);
}

/// An engine whose code has the geometry of one layer as constants. If `IsByRows` is true, rows are computed one by one. If such rows have
/// an odd number of pixels, each row ends with a lone pixel, so lone pixels have their own loop.
template <convolution Plan, bool IsByRows>
struct speed_engine {
  static constexpr bool is_wide = Plan.encoding.is_wide != 0;
  static constexpr bool multiplies_lone = IsByRows && Plan.row_pixels % 2 != 0;

  static void expand_patches(const convolution_walk&, std::uint32_t* to, const std::int8_t* a, const std::int8_t* b) {
    expand_filter<is_wide, Plan.depth() / 4, 1>(to, a, b, 0);
  }
  static void expand_windows([[maybe_unused]] const convolution_walk& walk, std::uint32_t* to, const std::int8_t* a, const std::int8_t* b) {
    constexpr auto pitch = Plan.rows.dilation * Plan.pitch();
    constexpr auto fours = Plan.whole_run() / 4;
    constexpr auto unrolled = unrolled_fours(fours);
    if constexpr (fours == 1 && pitch < 256) {  // with one group per row, the pitch is the immediate offset of the loads
      expand_filter<is_wide, Plan.rows.filter, 1, pitch>(to, a, b, 0);
    } else if constexpr (Plan.rows.filter > 1 && fours > unrolled) {
      expand_long_rows<is_wide, unrolled>(to, a, b, walk.row_tap_step, Plan.rows.filter, fours / unrolled);
    } else {
      expand_filter<is_wide, fours, Plan.rows.filter>(to, a, b, walk.row_tap_step);
    }
  }
  static void multiply(const convolution_walk&, const std::uint32_t* expanded, weight_stream stream, std::int8_t* a, std::int8_t* b) {
    multiply_pairs<block_code_of(Plan, optimize_for::speed)>(b, a, stream.end, expanded, expanded + Plan.depth() / 8 * 8, stream.begin);
  }
  static void multiply_lone(const convolution_walk&, const std::uint32_t* expanded, weight_stream stream, std::int8_t* a) {
    constexpr auto code = block_code_of(Plan, optimize_for::speed, 1);
    multiply_pairs<code>(a, a, stream.end, expanded, expanded + Plan.depth() / 8 * 8, stream.begin);
  }
};

/// An engine that reads the geometry at run time. Layers with the same variants of the routines share the code.
struct size_engine {
  static constexpr bool multiplies_lone = false;

  decltype(&expand_some<true>) expand;
  decltype(&multiply_shared<block_code{}>) multiply_all;

  void expand_patches(const convolution_walk& walk, std::uint32_t* to, const std::int8_t* a, const std::int8_t* b) const {
    expand(to, a, b, (walk.depth - walk.skipped) / 4);
  }
  void expand_windows(const convolution_walk& walk, std::uint32_t* to, const std::int8_t* a, const std::int8_t* b) const {
    for (std::int32_t ky = 0; ky < walk.filter_rows; ++ky, a += walk.row_tap_step, b += walk.row_tap_step) {
      to = expand(to, a, b, walk.run / 4);
    }
  }
  void multiply(const convolution_walk& walk, const std::uint32_t* expanded, weight_stream stream, std::int8_t* a, std::int8_t* b) const {
    multiply_all(b, a, stream.end, expanded, expanded + walk.depth, stream.begin, 2 * walk.skipped);
  }
};
template <convolution Plan>
inline constexpr size_engine size_engine_of{&expand_some<Plan.encoding.is_wide != 0>,
                                            &multiply_shared<block_code_of(Plan, optimize_for::code_size)>};

#else

template <convolution Plan, bool IsByRows>
struct speed_engine;
template <convolution Plan>
inline constexpr bool size_engine_of = false;

#endif

}  // namespace baton::cortex_m::detail
