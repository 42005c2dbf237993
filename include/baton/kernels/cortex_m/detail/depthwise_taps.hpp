// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution with any window. Computes four channels of an output pixel at a time. The inputs of two vertically adjacent taps
// (positions in the window) are packed into a word, and one instruction multiplies the two inputs of the word by two weights. All layers
// share the code.
#pragma once

#include <baton/kernel/min_distance.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_memory.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::cortex_m::detail {

/// Writes the block (see `kernel_facts::prepared_blocks`) of group `g` in the stream of packed constants (`streams.hpp`). The block has
/// four initial sums, the weights, four corrections of negative sums, and the multiplier, offset and shift of each channel. The layout of
/// the weights is [pair of filter rows, column, channel]; a word holds the weights of two vertically adjacent taps. If the number of filter
/// rows is odd, the lower weights of the last pair are 0.
constexpr void put_tap_group(const depthwise_plan& plan, const depthwise_channels& all, std::int32_t g, std::int32_t* to) {
  const auto taps = plan.rows.filter * plan.columns.filter;
  for (std::int32_t q = 0; q < plan.in_group(); ++q) {
    const auto channel = all.channel_with_scale(plan.first_of_group(g) + q, plan);
    auto* next = to + q + packed_channels;
    auto* last = to + packed_channels * (plan.tap_pairs() + 2) + 3 * q;
    const auto factor = channel.factor();
    const auto by = channel.requantization(1);
    std::int32_t sum = 0;
    for (std::int32_t tap = 0; tap < taps; ++tap) sum += channel.weight(tap);
    to[q] = (channel.bias - plan.input_zero_point * sum) * factor + by.nudge;
    for (std::int32_t row = 0; row < plan.rows.filter; row += 2) {
      for (std::int32_t k = 0; k < plan.columns.filter; ++k, next += packed_channels) {
        const auto tap = row * plan.columns.filter + k;
        const auto lower_weight = row + 1 < plan.rows.filter ? channel.weight(tap + plan.columns.filter) : 0;
        *next = static_cast<std::int32_t>(halfwords(channel.weight(tap) * factor, lower_weight * factor));
      }
    }
    if (plan.corrects_ties != 0) *next = channel.correction();
    last[0] = by.multiplier;
    last[1] = by.offset;
    last[2] = by.shift;
  }
}

/// A run of `count` pairs of taps at equal distances. `first_upper` is the address of the first upper tap. `lower_distance` is the distance
/// from an upper tap to the lower tap of its pair. `pair_distance` is the distance between adjacent pairs. Both distances are in bytes.
struct tap_run {
  std::ptrdiff_t lower_distance;
  std::ptrdiff_t pair_distance;
  std::ptrdiff_t count;
  const std::int8_t* first_upper;
};

/// Adjacent groups of four channels of one output pixel.
struct tap_pixel {
  const tap_run* runs;
  const tap_run* end;
  const std::int32_t* stream;  ///< the stream block of the first group
  std::int8_t* to;             ///< the output of the first group's first channel
  std::int32_t channel;        ///< the first channel of the first group
  std::int32_t groups;         ///< at least one
  quantized::bounds<std::int32_t> range;
};

/// Computes the groups of a pixel in portable C++. Writes only the first `stored` channels of each group.
inline void add_taps_plainly(tap_pixel at, std::int32_t stored) {
  for (; at.groups != 0; --at.groups, at.channel += packed_channels) {
    const auto* stream = at.stream + packed_channels;
    std::int32_t sums[packed_channels];
    for (std::int32_t q = 0; q < packed_channels; ++q) sums[q] = at.stream[q];
    for (const auto* run = at.runs; run != at.end; ++run) {
      const auto* upper = run->first_upper + at.channel;
      for (std::ptrdiff_t i = 0; i < run->count; ++i, upper += run->pair_distance) {
        const auto a = load_word(upper);
        const auto b = load_word(upper + run->lower_distance);
        const auto even = pkhbt_lsl16(a, b);
        const auto odd = pkhtb_asr16(b, a);
        const std::uint32_t inputs[] = {sxtb16(even), sxtb16_ror8(even), sxtb16(odd), sxtb16_ror8(odd)};
        for (std::int32_t q = 0; q < packed_channels; ++q) sums[q] = smlad(inputs[q], static_cast<std::uint32_t>(*stream++), sums[q]);
      }
    }
    const auto* corrections = stream;
    stream += packed_channels;
    for (std::int32_t q = 0; q < packed_channels; ++q, stream += 3) {
      const auto output = requantize_scaled(sums[q], {stream[0], stream[1], stream[2]}, sums[q] < 0 ? corrections[q] : 0);
      if (q < stored) *at.to++ = static_cast<std::int8_t>(at.range.clamp(output));
    }
    at.stream = stream;
  }
}

/// Like `add_taps_plainly` with four stored channels, but in assembly if the target has the DSP extension.
[[gnu::noinline]] inline void add_taps(const tap_pixel& at) {
#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  register const tap_run* begin asm("r0") = at.runs;
  register const tap_run* end asm("r1") = at.end;
  register std::int8_t* to asm("r2") = at.to;
  register std::int32_t channel asm("r3") = at.channel;
  register std::int32_t groups asm("r4") = at.groups;
  register std::int32_t lower asm("r5") = at.range.lower;
  register std::int32_t upper asm("r6") = at.range.upper;
  register const std::int32_t* stream asm("lr") = at.stream;
  // r0-r3: sums; r4 and r5: weights; r6 and r7: distances; r8-r10: inputs; r11: remaining pairs; r12: address of the inputs. Offsets on the
  // stack, in bytes: next run 0, `begin` 4, `end` 8, `to` 12, `channel` 16, `groups` 20, `lower` 24, `upper` 28, r7 32. Register r7 is
  // restored, because it may be the frame pointer.
  asm volatile(
      // Requantizes a sum. The correction is applied if the sum is negative.
      ".macro baton_scale sum, correction\n"
      "and \\correction, \\correction, \\sum, asr #31\n"
      "ldmia lr!, {r8-r10}\n"
      "smmla \\sum, \\sum, r8, r9\n"
      "add \\sum, \\sum, \\correction\n"
      "asr \\sum, \\sum, r10\n"
      "ssat \\sum, #8, \\sum\n"
      ".endm\n"
      "push {r0-r7}\n"
      "push {r0}\n"
      "0:\n"
      "ldmia lr!, {r0-r3}\n"
      "ldr r4, [sp, #4]\n"
      "1:\n"
      "ldmia r4!, {r6, r7, r11, r12}\n"
      "str r4, [sp]\n"
      "ldr r5, [sp, #16]\n"
      "add r12, r12, r5\n"
      "2:\n"
      "ldr r8, [r12]\n"
      "ldr r9, [r12, r6]\n"
      "add r12, r12, r7\n"
      "pkhbt r10, r8, r9, lsl #16\n"
      "pkhtb r9, r9, r8, asr #16\n"
      "ldmia lr!, {r4, r5}\n"
      "sxtb16 r8, r10\n"
      "sxtb16 r10, r10, ror #8\n"
      "smlad r0, r8, r4, r0\n"
      "smlad r1, r10, r5, r1\n"
      "ldmia lr!, {r4, r5}\n"
      "sxtb16 r8, r9\n"
      "sxtb16 r9, r9, ror #8\n"
      "smlad r2, r8, r4, r2\n"
      "smlad r3, r9, r5, r3\n"
      "subs r11, r11, #1\n"
      "bne 2b\n"
      "ldr r4, [sp]\n"
      "ldr r5, [sp, #8]\n"
      "cmp r4, r5\n"
      "bne 1b\n"
      "ldmia lr!, {r4-r7}\n"
      "baton_scale r0, r4\n"
      "baton_scale r1, r5\n"
      "baton_scale r2, r6\n"
      "baton_scale r3, r7\n"
      "ldrd r4, r5, [sp, #24]\n"
      "sub r6, r5, r4\n"
      "cmp r6, #255\n"
      "beq 3f\n"
      ".irp sum, r0, r1, r2, r3\n"
      "cmp \\sum, r4\n it lt\n movlt \\sum, r4\n"
      "cmp \\sum, r5\n it gt\n movgt \\sum, r5\n"
      ".endr\n"
      "3:\n"
      "add r5, sp, #12\n"
      "ldmia r5, {r4, r6, r7}\n"
      "strb r0, [r4], #1\n"
      "strb r1, [r4], #1\n"
      "strb r2, [r4], #1\n"
      "strb r3, [r4], #1\n"
      "adds r6, r6, #4\n"
      "subs r7, r7, #1\n"
      "stmia r5!, {r4, r6, r7}\n"
      "bne 0b\n"
      "add sp, sp, #32\n"
      "pop {r7}\n"
      ".purgem baton_scale\n"
      : "+r"(begin), "+r"(end), "+r"(to), "+r"(channel), "+r"(groups), "+r"(lower), "+r"(upper), "+r"(stream)
      :
      : "r8", "r9", "r10", "r11", "r12", "cc", "memory");
#else
  add_taps_plainly(at, packed_channels);
#endif
}

/// Returns the maximum number of runs of a pixel. A pair of filter rows has up to three runs: one in the left padding, one in the image,
/// and one in the right padding. Without padding, a filter of one column has at most two runs. One run has all complete pairs. The other
/// run has the last filter row if the number of filter rows is odd.
constexpr auto max_runs(const depthwise_plan& plan) -> std::int32_t {
  const auto pairs = (plan.rows.filter + 1) / 2;
  if (plan.columns.has_padding()) return 3 * pairs;
  return plan.columns.filter == 1 && !plan.rows.has_padding() ? 2 : pairs;
}
/// Returns the size of the zero points that replace taps in the padding, in bytes.
constexpr auto tap_padding_bytes(const depthwise_plan& plan) -> std::int32_t {
  if (plan.rows.has_padding()) return padding_row_bytes(plan);
  return plan.columns.has_padding() ? plan.channels + packed_channels : 0;
}
/// Returns the size of scratch, in bytes. Scratch holds the runs of one pixel, then the zero points that replace taps in the padding.
constexpr auto tap_scratch_bytes(const depthwise_plan& plan) -> std::uint32_t {
  return static_cast<std::uint32_t>(alignof(tap_run) - 1 + sizeof(tap_run) * static_cast<std::size_t>(max_runs(plan))) +
         static_cast<std::uint32_t>(tap_padding_bytes(plan));
}

/// Writes the runs of an output pixel to `to`, and returns their end. `top` and `left` are the image row and column of the window's first
/// tap; either may be in the padding.
inline auto put_runs(const depthwise_plan& plan, const std::int8_t* image, const std::int8_t* padding, std::int32_t top, std::int32_t left,
                     tap_run* to) -> tap_run* {
  const auto pitch = plan.in_row_bytes();
  const auto row_step = plan.rows.dilation * pitch;
  const auto filter_rows = plan.rows.filter;
  const auto filter_columns = plan.columns.filter;
  const bool has_all_rows = top >= 0 && top + (filter_rows - 1) * plan.rows.dilation < plan.rows.input;
  if (filter_columns == 1 && has_all_rows && left >= 0 && left < plan.columns.input) {
    const auto* first = image + top * pitch + left * plan.channels;
    if (filter_rows > 1) *to++ = {row_step, 2 * row_step, filter_rows / 2, first};
    if (filter_rows % 2 != 0) *to++ = {0, 0, 1, first + (filter_rows - 1) * row_step};
    return to;
  }
  const auto first_column = plan.columns.first_tap(left);
  const auto last_column = plan.columns.end_tap(left);
  const auto taps_inside = last_column > first_column ? last_column - first_column : 0;
  const auto left_padding = taps_inside == 0 ? filter_columns : first_column;
  const auto right_padding = filter_columns - left_padding - taps_inside;
  const auto start = (left + first_column * plan.columns.dilation) * plan.channels;
  const auto address = [&](std::int32_t y) { return row_of(plan, image + start, padding, y); };
  for (std::int32_t row = 0; row < filter_rows; row += 2) {
    const auto y = top + row * plan.rows.dilation;
    if (left_padding != 0) *to++ = {0, 0, left_padding, padding};
    if (taps_inside != 0) {
      const auto* upper = address(y);
      const auto* lower = row + 1 < filter_rows ? address(y + plan.rows.dilation) : upper;
      *to++ = {bytes_between(upper, lower), plan.columns.dilation * plan.channels, taps_inside, upper};
    }
    if (right_padding != 0) *to++ = {0, 0, right_padding, padding};
  }
  return to;
}

/// Computes `remaining` output pixels, starting with `pixel`. Pixels are written in row-major order, or in the reverse order if `order` is
/// descending. Within a pixel, groups of four channels are written in ascending order. If the number of channels is above four and not a
/// multiple of four, the last group writes some channels of the previous group again.
[[gnu::always_inline]] inline void compute_some_pixels(const depthwise_plan& plan, const depthwise_memory& at, std::int32_t remaining,
                                                       std::int32_t pixel, write_order order) {
  auto* const runs = aligned_in<tap_run>(at.scratch);
  auto* const padding = reinterpret_cast<std::int8_t*>(runs + max_runs(plan));
  std::memset(padding, plan.input_zero_point, static_cast<std::size_t>(tap_padding_bytes(plan)));
  const auto full_groups = plan.channels / packed_channels;
  const auto remaining_channels = plan.channels % packed_channels;
  const auto pixels = plan.columns.output;
  for (; remaining > 0; --remaining) {
    const auto row = pixel / pixels;
    const auto x = pixel % pixels;
    const auto* end =
        put_runs(plan, image_of(plan, at, row), padding, plan.rows.origin(row % plan.rows.output), plan.columns.origin(x), runs);
    tap_pixel pixel_groups{runs, end, at.stream, at.output + pixel * plan.channels, 0, full_groups, plan.range};
    if (full_groups == 0) {
      pixel_groups.groups = 1;
      add_taps_plainly(pixel_groups, plan.channels);
    } else {
      add_taps(pixel_groups);
    }
    if (full_groups != 0 && remaining_channels != 0) {  // computes the last four channels, some of them again
      pixel_groups.stream += full_groups * plan.block_words();
      pixel_groups.to += plan.channels - packed_channels;
      pixel_groups.channel = plan.channels - packed_channels;
      pixel_groups.groups = 1;
      add_taps(pixel_groups);
    }
    pixel += order == write_order::ascending ? 1 : -1;
  }
}

/// Computes output rows [`first`, `last`) in the order `order`.
[[gnu::noinline]] inline void compute_taps(const depthwise_plan& plan, const depthwise_memory& at, std::int32_t first, std::int32_t last,
                                           write_order order) {
  const auto pixels = plan.columns.output;
  compute_some_pixels(plan, at, (last - first) * pixels, order == write_order::ascending ? first * pixels : last * pixels - 1, order);
}
/// Computes the output pixels [`first`, `last`) in ascending order. Pixels are numbered in row-major order across all output rows.
[[gnu::noinline]] inline void compute_tap_pixels(const depthwise_plan& plan, const depthwise_memory& at, std::int32_t first,
                                                 std::int32_t last) {
  compute_some_pixels(plan, at, last - first, first, write_order::ascending);
}

}  // namespace baton::cortex_m::detail
