// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The chunks (see `kernel_facts::chunks`) of a convolution: pairs of output channels of two pixels. The calls for successive chunks share
// the contents of scratch.
#pragma once

#include <baton/kernels/cortex_m/detail/convolve.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Computes the pairs of channels [`first`, `last`) of the output pixels `a` and `b` from their expanded inputs. `a` and `b` are the
/// addresses of channel 0 of each pixel.
template <class Engine>
[[gnu::always_inline]] inline void multiply_channels(const Engine& engine, const convolution_walk& walk, const std::uint32_t* expanded,
                                                     weight_stream stream, std::int8_t* a, std::int8_t* b, std::int32_t first,
                                                     std::int32_t last) {
  const auto* const begin = stream.begin + first * walk.pair_words;
  const auto* end = stream.begin + last * walk.pair_words;
  if (walk.out_channels % 2 != 0 && end == stream.end) {
    // The last pair has no second channel, so its outputs are written to a buffer first.
    end -= walk.pair_words;
    std::int8_t lone[4];
    engine.multiply(walk, expanded, {end, stream.end}, lone, lone + 2);
    a[walk.out_channels - 1] = lone[0];
    b[walk.out_channels - 1] = lone[2];
    if (begin == end) return;
  }
  engine.multiply(walk, expanded, {begin, end}, a + 2 * first, b + 2 * first);
}

/// Expands the inputs of the output pixels `pixel` and `second` to words. `second` is the pixel after `pixel`, or equals `pixel` if only
/// one pixel is computed. If there is a strip (`convolution::has_strip`), fills it for pixel 0. For a later pixel, moves it down from the
/// row of the previous pair of pixels to the row of `pixel`. `IsGathered` is `convolution::is_gathered`.
template <bool IsGathered, class Engine>
[[gnu::always_inline]] inline void expand_pixels(const Engine& engine, const convolution_walk& walk, const std::int8_t* image,
                                                 std::uint32_t* expanded, std::int32_t pixel, std::int32_t second) {
  const auto columns = walk.output_columns;
  const auto top_of = [&](std::int32_t y) { return y * walk.row_stride - walk.above; };
  if constexpr (IsGathered) {
    const auto corner_of = [&](std::int32_t of) { return window_corner{top_of(of / columns), of % columns * walk.step - walk.before}; };
    expand_gathered(engine, walk, expanded, image, corner_of(pixel), corner_of(second));
  } else {
    const auto y = pixel / columns;
    const auto* row = image + top_of(y) * walk.pitch - walk.before;
    if (walk.strip_rows != 0) {
      auto* const memory = reinterpret_cast<std::int8_t*>(expanded + walk.depth) + 2 * walk.patch;
      auto at = pixel == 0 ? 0 : (pixel - 2) / columns;
      image_strip strip{image, memory, top_of(at), top_of(walk.output_rows - 1) + walk.row_span};
      if (pixel == 0) strip.fill(walk, 0);
      for (; at < y; ++at) strip.advance(walk);
      row = memory;
    }
    const auto window_of = [&](std::int32_t of) {
      return row + (of / columns - y) * walk.row_stride * walk.pitch + of % columns * walk.step;
    };
    expand_pair(engine, walk, expanded, window_of(pixel), window_of(second));
  }
}

/// Computes the chunks [`first`, `last`) of a layer with `convolution::batches` 1. A chunk has `pairs_of_chunk` pairs of channels of two
/// pixels. Chunk numbers continue from one pair of pixels to the next. The chunks before `first` must have been computed with the same
/// scratch, for two reasons. The first chunk of two pixels expands their inputs for all their chunks, and the strip moves down from row to
/// row. `IsGathered` is `convolution::is_gathered`.
template <bool IsGathered, class Engine>
[[gnu::always_inline]] inline void convolve_chunks(const Engine& engine, const convolution_walk& walk, const std::int8_t* image,
                                                   weight_stream stream, char* scratch, std::int8_t* output, std::int32_t pairs_of_chunk,
                                                   std::int32_t first, std::int32_t last) {
  const auto pairs = (walk.out_channels + 1) / 2;
  const auto chunks_of_pixels = (pairs + pairs_of_chunk - 1) / pairs_of_chunk;
  const auto last_pixel = walk.output_rows * walk.output_columns - 1;
  auto* const expanded = aligned_words(scratch);
  auto pixel = first / chunks_of_pixels * 2;
  auto chunk = first % chunks_of_pixels;
  for (auto left = last - first; left > 0; pixel += 2, chunk = 0) {
    const auto second = std::min(pixel + 1, last_pixel);
    if (chunk == 0) {
      std::fill_n(expanded, walk.skipped, 0u);
      expand_pixels<IsGathered>(engine, walk, image, expanded, pixel, second);
    }
    const auto end = std::min(chunk + left, chunks_of_pixels);
    multiply_channels(engine, walk, expanded, stream, output + pixel * walk.out_channels, output + second * walk.out_channels,
                      chunk * pairs_of_chunk, std::min(end * pairs_of_chunk, pairs));
    left -= end - chunk;
  }
}

}  // namespace baton::cortex_m::detail
