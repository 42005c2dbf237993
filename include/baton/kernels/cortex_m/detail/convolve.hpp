// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The loop of a convolution over its output pixels. For each pair of pixels, an engine expands the inputs to words, and multiplies these
// words with the weights of all output channels. This file contains a portable engine.
#pragma once

#include <baton/kernels/cortex_m/detail/convolution.hpp>
#include <baton/kernels/cortex_m/detail/convolution_walk.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::cortex_m::detail {

/// An engine in portable C++. The engine uses the memory layout of the assembly code.
struct plain_engine {
  /// Whether the last pixel of an odd number of pixels is computed alone. If not, the last pixel is computed as both pixels of a pair.
  static constexpr bool multiplies_lone = false;

  const convolution& plan;

  /// Expands `count` inputs of each of two pixels to words, four inputs of each pixel per step. For packed weights, odd inputs precede even
  /// inputs. For wide weights, even inputs precede odd inputs.
  auto expand(std::uint32_t* to, const std::int8_t* a, const std::int8_t* b, std::int32_t count) const -> std::uint32_t* {
    for (std::int32_t k = 0; k < count; k += 4) {
      const auto word_a = load_word(a + k);
      const auto word_b = load_word(b + k);
      if (plan.encoding.is_wide != 0) {
        to[0] = sxtb16(word_a);
        to[1] = sxtb16(word_b);
        to[2] = sxtb16_ror8(word_a);
        to[3] = sxtb16_ror8(word_b);
      } else {
        to[0] = odd_inputs(word_a);
        to[1] = odd_inputs(word_b);
        to[2] = even_inputs(word_a, to[0]);
        to[3] = even_inputs(word_b, to[1]);
      }
      to += 4;
    }
    return to;
  }

  void expand_patches(const convolution_walk& walk, std::uint32_t* to, const std::int8_t* a, const std::int8_t* b) const {
    expand(to, a, b, walk.depth - walk.skipped);
  }
  void expand_windows(const convolution_walk& walk, std::uint32_t* to, const std::int8_t* a, const std::int8_t* b) const {
    for (std::int32_t ky = 0; ky < walk.filter_rows; ++ky, a += walk.row_tap_step, b += walk.row_tap_step) to = expand(to, a, b, walk.run);
  }

  /// Computes all pairs of channels of a stream of packed constants (`streams.hpp`), for two pixels.
  void multiply(const convolution_walk& walk, const std::uint32_t* expanded, weight_stream stream, std::int8_t* a, std::int8_t* b) const {
    const auto& encoding = plan.encoding;
    std::int8_t* const to[2] = {a, b};
    for (std::int32_t first = 0; stream.begin != stream.end; first += 2) {
      const auto* x = expanded + walk.skipped;
      const auto* w = stream.begin + 2;
      std::int32_t sums[2][2];  // [channel][pixel]
      for (std::size_t q = 0; q < 2; ++q) sums[q][0] = sums[q][1] = static_cast<std::int32_t>(stream.begin[q]);
      std::int32_t segment_sums[2][2]{};
      for (std::int32_t k = walk.skipped; k < plan.depth(); k += 4, x += 4) {
        for (std::size_t q = 0; q < 2; ++q) {
          for (std::size_t p = 0; p < 2; ++p) {
            const auto second = encoding.is_wide != 0 ? w[q + 2] : sxtb16(w[q]);
            auto& sum = encoding.is_segmented != 0 ? segment_sums[q][p] : sums[q][p];
            sum = smlad(second, x[p + 2], smlad(w[q], x[p], sum));
            if (encoding.is_segmented == 0 || ((k + 4) % segment_products != 0 && k + 4 != plan.depth())) continue;
            sums[q][p] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[q][p]) +
                                                   static_cast<std::uint32_t>(sum >> (packed_bits - folded_bits)));
            sum = 0;
          }
        }
        w += encoding.is_wide != 0 ? 4 : 2;
      }
      for (std::size_t q = 0; q < 2; ++q, w += plan.rule_words()) {
        const scaled_requantization by{static_cast<std::int32_t>(w[0]), static_cast<std::int32_t>(w[1]),
                                       encoding.shift != 0        ? encoding.shift
                                       : encoding.is_compact != 0 ? sums[q][0] & 0xff
                                                                  : static_cast<std::int32_t>(w[2])};
        const auto bits = encoding.scale != 0 ? static_cast<std::uint32_t>(encoding.scale - 1) : w[2];
        for (std::size_t p = 0; p < 2; ++p) {
          const auto correction = encoding.corrects_ties != 0 && bits < 32 && sums[q][p] < 0 ? -(std::int32_t{1} << bits) : 0;
          to[p][first + static_cast<std::int32_t>(q)] =
              static_cast<std::int8_t>(plan.range.clamp(requantize_scaled(sums[q][p], by, correction)));
        }
      }
      stream.begin = w;
    }
  }
};

/// Copies `count` bytes in ascending order, and returns the end of the copy. The ranges may overlap if `to` is lower than `from`. Copies
/// words, because `memmove` of small C libraries copies bytes.
[[gnu::noinline]] inline auto put(std::int8_t* to, const std::int8_t* from, std::int32_t count) -> std::int8_t* {
  for (; count >= 16; count -= 16, to += 16, from += 16) {
    std::memmove(to, from, 4);
    std::memmove(to + 4, from + 4, 4);
    std::memmove(to + 8, from + 8, 4);
    std::memmove(to + 12, from + 12, 4);
  }
  for (; count >= 4; count -= 4, to += 4, from += 4) std::memmove(to, from, 4);
  for (; count > 0; --count) *to++ = *from++;
  return to;
}
/// Writes `count` bytes with the value `filling`, and returns the end of these bytes.
[[gnu::noinline]] inline auto put(std::int8_t* to, std::int32_t filling, std::int32_t count) -> std::int8_t* {
  const auto four = (static_cast<std::uint32_t>(filling) & 0xffu) * 0x01010101u;
  for (; count >= 4; count -= 4, to += 4) std::memcpy(to, &four, 4);
  for (; count > 0; --count) *to++ = static_cast<std::int8_t>(filling);
  return to;
}
/// Copies `count` bytes, and returns the end of the copy. The ranges must not overlap. If `count` is a constant up to 64, the copy is
/// inlined.
[[gnu::always_inline]] inline auto put_disjoint(std::int8_t* to, const std::int8_t* from, std::int32_t count) -> std::int8_t* {
  if (!__builtin_constant_p(count) || count > 64) return put(to, from, count);
  std::memcpy(to, from, static_cast<std::size_t>(count));
  return to + count;
}

/// A copy of the image rows that windows cover, including the padding. The first row of the strip is row `top` of the image. `top` is
/// negative if this row is in the padding above the image.
struct image_strip {
  const std::int8_t* image;
  std::int8_t* at;  ///< the address of the strip
  std::int32_t top;
  std::int32_t end;  ///< the image row after the last row that windows cover

  /// Fills the rows of the strip from row `first` of the strip on.
  void fill(const convolution_walk& walk, std::int32_t first) const {
    for (auto row = first; row < walk.strip_rows && top + row < end; ++row) {
      auto* to = at + row * walk.pitch;
      const auto y = top + row;
      if (y < 0 || y >= walk.image_rows) {
        put(to, walk.input_zero_point, walk.pitch);
      } else {
        to = put(to, walk.input_zero_point, walk.before);
        to = put(to, image + y * walk.line, walk.inside);
        put(to, walk.input_zero_point, walk.pitch - walk.before - walk.inside);
      }
    }
  }
  /// Moves the strip down by one output row.
  void advance(const convolution_walk& walk) {
    const auto kept = walk.strip_rows > walk.row_stride ? walk.strip_rows - walk.row_stride : 0;
    put(at, at + walk.row_stride * walk.pitch, kept * walk.pitch);
    top += walk.row_stride;
    fill(walk, kept);
  }
};

/// Copies the inputs of a window to contiguous memory.
[[gnu::always_inline]] inline void gather(const convolution_walk& walk, const std::int8_t* window, std::int8_t* to) {
  for (std::int32_t ky = 0; ky < walk.filter_rows; ++ky, window += walk.row_tap_step) {
    if (walk.tap_step == walk.in_channels) {
      to = put_disjoint(to, window, walk.run);
    } else {
      for (std::int32_t kx = 0; kx < walk.filter_columns; ++kx) to = put_disjoint(to, window + kx * walk.tap_step, walk.in_channels);
    }
  }
}

/// The position of the first input of a window. The position may be in the padding.
struct window_corner {
  std::int32_t top;   ///< the row
  std::int32_t left;  ///< the column, as an offset from the start of the row in bytes
};

/// Copies the inputs of a window of an image to contiguous memory. Inputs in the padding are zero points.
[[gnu::noinline]] inline void gather_with_padding(const convolution_walk& walk, const std::int8_t* image, window_corner corner,
                                                  std::int8_t* to) {
  auto [top, left] = corner;
  for (std::int32_t ky = 0; ky < walk.filter_rows; ++ky, top += walk.row_dilation) {
    if (top < 0 || top >= walk.image_rows) {
      to = put(to, walk.input_zero_point, walk.filter_columns * walk.in_channels);
      continue;
    }
    const auto* const row = image + top * walk.line;
    if (walk.tap_step == walk.in_channels) {
      const auto run = walk.filter_columns * walk.in_channels;
      const auto before = std::clamp<std::int32_t>(-left, 0, run);
      const auto end = std::clamp<std::int32_t>(walk.line - left, before, run);
      to = put(to, walk.input_zero_point, before);
      to = put(to, row + (left + before), end - before);
      to = put(to, walk.input_zero_point, run - end);
    } else {
      for (std::int32_t kx = 0; kx < walk.filter_columns; ++kx) {
        const auto at = left + kx * walk.tap_step;
        to = at >= 0 && at < walk.line ? put(to, row + at, walk.in_channels) : put(to, walk.input_zero_point, walk.in_channels);
      }
    }
  }
}

/// Expands the inputs of two pixels to words, for a layer with `convolution::is_gathered`. `corner_b` may equal `corner_a`, for one pixel.
template <class Engine>
[[gnu::always_inline]] inline void expand_gathered(const Engine& engine, const convolution_walk& walk, std::uint32_t* expanded,
                                                   const std::int8_t* image, window_corner corner_a, window_corner corner_b) {
  auto* const patch = reinterpret_cast<std::int8_t*>(expanded + walk.depth);
  gather_with_padding(walk, image, corner_a, patch);
  gather_with_padding(walk, image, corner_b, patch + walk.patch);
  engine.expand_patches(walk, expanded + walk.skipped, patch, patch + walk.patch);
}

/// Expands the inputs of two pixels from their windows to words. `window_b` may equal `window_a`, for one pixel.
template <class Engine>
[[gnu::always_inline]] inline void expand_pair(const Engine& engine, const convolution_walk& walk, std::uint32_t* expanded,
                                               const std::int8_t* window_a, const std::int8_t* window_b) {
  if (walk.patch == 0) {
    engine.expand_windows(walk, expanded + walk.skipped, window_a, window_b);
  } else {
    auto* const patch = reinterpret_cast<std::int8_t*>(expanded + walk.depth);
    gather(walk, window_a, patch);
    gather(walk, window_b, patch + walk.patch);
    engine.expand_patches(walk, expanded + walk.skipped, patch, patch + walk.patch);
  }
}

/// Computes all channels of the output pixels `a` and `b` from their expanded inputs. `b` may equal `a`, for one pixel.
template <class Engine>
[[gnu::always_inline]] inline void multiply_pair(const Engine& engine, const convolution_walk& walk, std::uint32_t* expanded,
                                                 weight_stream stream, std::int8_t* a, std::int8_t* b) {
  const auto* end = stream.end;
  if (walk.out_channels % 2 != 0) {
    // The last pair of channels has no second channel. The outputs of the pair are written to a buffer, and only those of the first channel
    // are copied to the output.
    end -= walk.pair_words;
    std::int8_t lone[4];
    engine.multiply(walk, expanded, {end, stream.end}, lone, lone + 2);
    a[walk.out_channels - 1] = lone[0];
    b[walk.out_channels - 1] = lone[2];
    if (walk.out_channels == 1) return;
  }
  if constexpr (Engine::multiplies_lone) {
    if (a == b) return engine.multiply_lone(walk, expanded, {stream.begin, end}, a);
  }
  engine.multiply(walk, expanded, {stream.begin, end}, a, b);
}

/// Computes all channels of the output pixels `a` and `b` from their windows. `b` may equal `a`, for one pixel.
template <class Engine>
[[gnu::always_inline]] inline void convolve_pair(const Engine& engine, const convolution_walk& walk, std::uint32_t* expanded,
                                                 weight_stream stream, const std::int8_t* window_a, const std::int8_t* window_b,
                                                 std::int8_t* a, std::int8_t* b) {
  expand_pair(engine, walk, expanded, window_a, window_b);
  multiply_pair(engine, walk, expanded, stream, a, b);
}

/// Like `convolve_image`, for a layer with `convolution::is_gathered`.
template <class Engine>
[[gnu::always_inline]] inline void convolve_gathered(const Engine& engine, const convolution_walk& walk, const std::int8_t* image,
                                                     weight_stream stream, std::uint32_t* expanded, std::int8_t* to, std::int32_t y,
                                                     std::int32_t x, std::int32_t count) {
  auto top = y * walk.row_stride - walk.above;
  std::fill_n(expanded, walk.skipped, 0u);
  const auto corner = [&] { return window_corner{top, x * walk.step - walk.before}; };
  const auto advance = [&] {
    if (++x != walk.output_columns) return;
    x = 0;
    top += walk.row_stride;
  };
  for (; count > 0; count -= 2) {
    const auto first = corner();
    auto* second = to;
    if (count > 1) {
      advance();
      second += walk.out_channels;
    }
    expand_gathered(engine, walk, expanded, image, first, corner());
    multiply_pair(engine, walk, expanded, stream, to, second);
    to = second + walk.out_channels;
    advance();
  }
}

/// Computes `count` output pixels of an image, starting at column `x` of row `y`. The inputs of a pair of pixels are read before either
/// pixel is written. If `count` is odd, the last pixel is computed alone or as both pixels of a pair. It cannot be paired with the pixel
/// before it, because inputs of that earlier pixel may already be overwritten.
template <class Engine>
[[gnu::always_inline]] inline void convolve_image(const Engine& engine, const convolution_walk& walk, const std::int8_t* image,
                                                  weight_stream stream, std::uint32_t* expanded, std::int8_t* to, std::int32_t y,
                                                  std::int32_t x, std::int32_t count) {
  const auto row_step = walk.row_stride * walk.pitch;
  const auto top = y * walk.row_stride - walk.above;
  auto* const strip_memory = reinterpret_cast<std::int8_t*>(expanded + walk.depth) + 2 * walk.patch;
  image_strip strip{image, strip_memory, top, top + (x + count - 1) / walk.output_columns * walk.row_stride + walk.row_span};
  const std::int8_t* row = strip_memory;
  std::fill_n(expanded, walk.skipped, 0u);
  if (walk.strip_rows != 0) {
    strip.fill(walk, 0);
  } else {
    row = image + top * walk.pitch - walk.before;
  }
  const auto* window = row + x * walk.step;
  const auto advance = [&]() __attribute__((always_inline)) {
    window += walk.step;
    if (++x != walk.output_columns) return;
    x = 0;
    row += row_step;
    window = row;
  };
  for (; count > 0; count -= 2) {
    const auto* const first = window;
    auto* second = to;
    if (count > 1) {
      advance();
      second += walk.out_channels;
    }
    convolve_pair(engine, walk, expanded, stream, first, window, to, second);
    to = second + walk.out_channels;
    if (count <= 2) break;
    advance();
    while (walk.strip_rows != 0 && row != strip.at) {
      strip.advance(walk);
      row -= row_step;
      window -= row_step;
    }
  }
}

/// Computes output rows [`first`, `last`). Row numbers continue from image to image of a batch. `IsGathered` is `convolution::is_gathered`.
template <bool IsGathered, class Engine>
[[gnu::always_inline]] inline void convolve_rows(const Engine& engine, const convolution_walk& walk, const std::int8_t* input,
                                                 weight_stream stream, char* scratch, std::int8_t* output, std::int32_t first,
                                                 std::int32_t last) {
  auto* const expanded = aligned_words(scratch);
  auto* to = output + first * walk.row_pixels * walk.out_channels;
  while (first < last) {
    // If all pixels are joined into one row, `first` and `last` count parts of that row, of `row_pixels` pixels each.
    const bool is_one_row = walk.row_pixels != walk.output_columns;
    const auto image = is_one_row ? 0 : first / walk.output_rows;
    const auto y = is_one_row ? 0 : first % walk.output_rows;
    const auto x = is_one_row ? first * walk.row_pixels : 0;
    const auto rows = is_one_row || last - first < walk.output_rows - y ? last - first : walk.output_rows - y;
    const auto* const from = input + image * walk.image_rows * walk.line;
    if constexpr (IsGathered) {
      convolve_gathered(engine, walk, from, stream, expanded, to, y, x, rows * walk.row_pixels);
    } else {
      convolve_image(engine, walk, from, stream, expanded, to, y, x, rows * walk.row_pixels);
    }
    to += rows * walk.row_pixels * walk.out_channels;
    first += rows;
  }
}

}  // namespace baton::cortex_m::detail
