// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Convolution of one input channel with a 3 × 3 window. The windows of a block of up to `window_block` pixels are packed into words once.
// Then, for each output channel, all of these windows are multiplied by the channel's weights, which stay in registers.
#pragma once

#include <baton/kernels/cortex_m/detail/convolution.hpp>
#include <baton/kernels/cortex_m/detail/convolve.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_memory.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Adjacent windows of an output row.
struct window_row {
  const std::int8_t* first;  ///< the first input of the first window
  std::ptrdiff_t second;     ///< the offset of the second row of a window from the first row, in bytes
  std::ptrdiff_t third;      ///< the offset of the third row of a window from the first row, in bytes
  std::int32_t step;         ///< distance between adjacent windows, in bytes
};

/// Packs windows until `to` reaches `end`, in portable C++. The words of a window with the rows a, b and c hold (a0, a2), (b0, b2),
/// (c0, c2), (a1, b1) and (c1, any input).
inline void pack_windows_plainly(window_row row, std::uint32_t* to, const std::uint32_t* end) {
  for (; to != end; row.first += row.step) {
    const auto a = load_word(row.first);
    const auto b = load_word(row.first + row.second);
    const auto c = load_word(row.first + row.third);
    *to++ = sxtb16(a);
    *to++ = sxtb16(b);
    *to++ = sxtb16(c);
    *to++ = sxtb16_ror8(pkhbt_lsl16(a, b));
    *to++ = sxtb16_ror8(c);
  }
}

/// Computes all channels of the windows in [`words`, `words_end`), in portable C++. In the stream, a channel has eight words: five words of
/// weights, the initial sum, the multiplier and the offset. The last word of weights has one weight in its bottom half. Its top half is the
/// correction of negative sums.
inline void multiply_windows_plainly(const convolution& plan, const std::uint32_t* words, const std::uint32_t* words_end,
                                     const std::uint32_t* stream, std::int8_t* to) {
  for (std::int32_t c = 0; c < plan.out_channels; ++c, stream += window_channel_words) {
    auto* output = to + c;
    for (const auto* at = words; at != words_end; output += plan.out_channels) {
      auto sum = static_cast<std::int32_t>(stream[window_words]);
      for (std::int32_t i = 0; i + 1 < window_words; ++i) sum = smlad(*at++, stream[i], sum);
      sum = smlabb(*at++, stream[window_words - 1], sum);
      const scaled_requantization by{static_cast<std::int32_t>(stream[6]), static_cast<std::int32_t>(stream[7]), plan.encoding.shift};
      *output =
          static_cast<std::int8_t>(requantize_scaled(sum, by, sum < 0 ? static_cast<std::int32_t>(stream[window_words - 1]) >> 16 : 0));
    }
  }
}

/// The loops that `convolve_windows` calls, in portable C++.
struct plain_windows {
  const convolution& plan;

  static void pack(const window_row& row, std::uint32_t* to, const std::uint32_t* end) { pack_windows_plainly(row, to, end); }
  void multiply(const std::uint32_t* words, const std::uint32_t* words_end, const std::uint32_t* stream, std::int8_t* to) const {
    multiply_windows_plainly(plan, words, words_end, stream, to);
  }
};

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

// r7 is the frame pointer in some builds, so it cannot be an operand or a clobber. Instead, the assembly code saves and restores it.

/// Like `pack_windows_plainly`. There must be at least one window. If there are several, adjacent windows must be `Step` bytes apart.
/// `Step` is less than 256.
template <std::int32_t Step>
[[gnu::noinline]] void pack_windows(const window_row& row, std::uint32_t* to, const std::uint32_t* end) {
  register const std::int8_t* from asm("r8") = row.first;
  register std::ptrdiff_t second asm("r9") = row.second;
  register std::ptrdiff_t third asm("r10") = row.third;
  register std::uint32_t* words asm("r12") = to;
  register const std::uint32_t* last asm("r0") = end;
  register std::int32_t odd asm("r1") = static_cast<std::int32_t>((end - to) / window_words) & 1;
  // Packs two windows per iteration. If the number of windows is odd, the first iteration packs only one window.
  asm volatile(
      ".macro baton_pack\n"
      "ldr r2,[r8,r9]\n ldr r3,[r8,r10]\n ldr r1,[r8],%[step]\n"
      "pkhbt r4,r1,r2,lsl #16\n sxtb16 r1,r1\n sxtb16 r2,r2\n sxtb16 r5,r3,ror #8\n sxtb16 r3,r3\n sxtb16 r4,r4,ror #8\n"
      "stmia r12!,{r1-r5}\n"
      ".endm\n"
      "cmp r1,#0\n bne 2f\n"
      "1: baton_pack\n 2: baton_pack\n"
      "cmp r12,r0\n bne 1b\n"
      ".purgem baton_pack\n"
      : "+r"(from), "+r"(words), "+r"(odd)
      : "r"(second), "r"(third), "r"(last), [step] "i"(Step)
      : "r2", "r3", "r4", "r5", "cc", "memory");
}

/// Like `multiply_windows_plainly` for `Channels` channels with the right shift `Shift`. If `IsCorrected` is 0, no sum has a correction.
/// There must be at least one window.
template <std::int32_t Channels, std::int32_t Shift, portable::flag IsCorrected>
[[gnu::noinline]] void multiply_windows(const std::uint32_t* words, const std::uint32_t* words_end, const std::uint32_t* stream,
                                        std::int8_t* to) {
  const auto windows = static_cast<std::int32_t>(words_end - words) / window_words;
  const auto written = windows * Channels - 1;
  register const std::uint32_t* end asm("r0") = stream + window_channel_words * Channels;
  register const std::uint32_t* next asm("r1") = stream;
  register std::int32_t entry asm("r2") = windows % 8;
  register std::int32_t back asm("r3") = written;
  register const std::uint32_t* first asm("r4") = words;
  register const std::uint32_t* last asm("r11") = words_end;
  register std::int8_t* output asm("lr") = to + written;
  // r0-r4: weights, and the correction in the top half of r4; r5: initial sum; r6 and r7: multiplier and offset; r8: sum; r12: address of
  // the words; lr: address of the outputs. Stack layout: `end` (the end of the stream of packed constants, `streams.hpp`), `next`, `entry`,
  // `back`, `first`, r7. `back` is the distance from the last output of a channel to the first output of the next channel. An iteration
  // computes eight windows. The first iteration computes `entry` windows if `entry` is not 0: it is entered in its middle, so that all
  // other iterations are complete.
  asm volatile(
      ".macro baton_window\n"
      "ldmia r12!,{r8-r10}\n"
      "smlad r8,r8,r0,r5\n smlad r8,r9,r1,r8\n smlad r8,r10,r2,r8\n"
      "ldmia r12!,{r9,r10}\n"
      "smlad r8,r9,r3,r8\n smlabb r8,r10,r4,r8\n"
      ".if %c[corrected]\n and r9,r4,r8,asr #31\n .endif\n"
      "smmla r8,r8,r6,r7\n"
      ".if %c[corrected]\n add r8,r8,r9,asr #16\n .endif\n"
      "ssat r8,#8,r8,asr %[shift]\n"
      "strb r8,[lr],%[channels]\n"
      ".endm\n"
      "push {r0-r4,r7}\n"
      "1: ldmia sp,{r0,r8,r9,r10,r12}\n cmp r8,r0\n beq 7f\n"
      "sub lr,lr,r10\n ldmia r8!,{r0-r7}\n str r8,[sp,#4]\n"
      "tbb [pc,r9]\n"
      "6: .byte (20f-6b)/2,(27f-6b)/2,(26f-6b)/2,(25f-6b)/2,(24f-6b)/2,(23f-6b)/2,(22f-6b)/2,(21f-6b)/2\n"
      "20: baton_window\n 21: baton_window\n 22: baton_window\n 23: baton_window\n"
      "24: baton_window\n 25: baton_window\n 26: baton_window\n 27: baton_window\n"
      "cmp r12,r11\n bne 20b\n b 1b\n"
      "7: add sp,#20\n pop {r7}\n"
      ".purgem baton_window\n"
      : "+r"(end), "+r"(next), "+r"(entry), "+r"(back), "+r"(first), "+r"(output)
      : "r"(last), [shift] "i"(Shift), [channels] "i"(Channels), [corrected] "i"(IsCorrected)
      : "r5", "r6", "r8", "r9", "r10", "r12", "cc", "memory");
}

/// The loops that `convolve_windows` calls, in assembly, for layers with these parameters.
template <std::int32_t Step, std::int32_t Channels, std::int32_t Shift, portable::flag IsCorrected>
struct fast_windows {
  static void pack(const window_row& row, std::uint32_t* to, const std::uint32_t* end) { pack_windows<Step>(row, to, end); }
  static void multiply(const std::uint32_t* words, const std::uint32_t* words_end, const std::uint32_t* stream, std::int8_t* to) {
    multiply_windows<Channels, Shift, IsCorrected>(words, words_end, stream, to);
  }
};

#else

template <std::int32_t Step, std::int32_t Channels, std::int32_t Shift, portable::flag IsCorrected>
struct fast_windows;

#endif

/// The three input rows of an output row, and the windows of this output row.
struct window_rows {
  const convolution_walk& walk;
  const std::int8_t* rows[3];  ///< each is a row of the image, or a row of zero points
  std::int8_t* patch;          ///< memory of a window that extends beyond the image
  std::int32_t width;          ///< windows inside the first `width` columns are read in place, in words of four inputs; others are copied

  /// Packs the windows of `count` outputs, starting at output column `x`.
  template <class Loops>
  [[gnu::always_inline]] void pack(const Loops& loops, std::int32_t x, std::int32_t count, std::uint32_t* to) const {
    while (count > 0) {
      const auto left = x * walk.step - walk.before;
      std::int32_t packed = 1;
      if (left >= 0 && left + 3 <= width) {
        packed = std::min(count, (width - 3 - left) / walk.step + 1);
        loops.pack({rows[0] + left, bytes_between(rows[0], rows[1]), bytes_between(rows[0], rows[2]), walk.step}, to,
                   to + window_words * packed);
      } else {
        fill_patch(left);
        loops.pack({patch, 4, 8, 0}, to, to + window_words);
      }
      to += window_words * packed;
      x += packed;
      count -= packed;
    }
  }

 private:
  /// Copies a window, with zero points outside the row. The first input is in column `left` of the image.
  [[gnu::noinline]] void fill_patch(std::int32_t left) const {
    const auto first = std::max<std::int32_t>(0, -left);
    const auto last = std::min<std::int32_t>(3, walk.line - left);
    put(patch, walk.input_zero_point, window_patch_bytes);
    for (auto k = first; k < last; ++k) {
      for (std::int32_t i = 0; i < 3; ++i) patch[4 * i + k] = rows[i][left + k];
    }
  }
};

/// Computes the output pixels [`first`, `last`) of a batch. Pixel numbers continue from row to row and from image to image. The inputs of a
/// block of pixels are read before any pixel of the block is written.
template <class Loops>
[[gnu::always_inline]] inline void convolve_windows(const Loops& loops, const convolution_walk& walk, const std::int8_t* input,
                                                    const std::uint32_t* stream, char* scratch, std::int8_t* output, std::int32_t first,
                                                    std::int32_t last) {
  auto* const words = aligned_words(scratch);
  auto* const patch = reinterpret_cast<std::int8_t*>(words + window_words * std::min(window_block, walk.output_columns));
  auto* const padding = patch + window_patch_bytes;
  auto* to = output + first * walk.out_channels;
  bool has_padding = false;
  for (auto pixel = first; pixel < last;) {
    const auto row = pixel / walk.output_columns;
    auto x = pixel % walk.output_columns;
    const auto* const image = input + row / walk.output_rows * walk.image_rows * walk.line;
    auto y = row % walk.output_rows * walk.row_stride - walk.above;
    window_rows windows{walk, {}, patch, walk.line};
    for (auto& each : windows.rows) {
      const bool is_inside = y >= 0 && y < walk.image_rows;
      // A word contains four inputs, but a row of a window has only three. After the last row of the image and after the row of zero
      // points, the fourth input may not exist.
      if (!is_inside || y + 1 == walk.image_rows) windows.width = walk.line - 1;
      if (!is_inside && !has_padding) {
        put(padding, walk.input_zero_point, walk.line);
        has_padding = true;
      }
      each = is_inside ? image + y * walk.line : padding;
      y += walk.row_dilation;
    }
    auto count = std::min(walk.output_columns - x, last - pixel);
    pixel += count;
    if (pixel == last) windows.width = walk.line - 1;
    for (; count > 0; count -= window_block, x += window_block) {
      const auto pixels = std::min(count, window_block);
      windows.pack(loops, x, pixels, words);
      loops.multiply(words, words + window_words * pixels, stream, to);
      to += pixels * walk.out_channels;
    }
  }
}

}  // namespace baton::cortex_m::detail
