// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The parameters of the loop of a convolution over its output pixels.
#pragma once

#include <baton/kernels/cortex_m/detail/convolution.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Returns the first word-aligned address at or after `scratch`.
[[gnu::always_inline]] inline auto aligned_words(char* scratch) -> std::uint32_t* {
  return reinterpret_cast<std::uint32_t*>((reinterpret_cast<std::uintptr_t>(scratch) + 3) & ~std::uintptr_t{3});
}

/// The words of a layer's stream of packed constants (`streams.hpp`), [`begin`, `end`).
struct weight_stream {
  const std::uint32_t* begin;
  const std::uint32_t* end;
};

/// The parameters of the loop. If layers share code, the loop reads them at run time.
struct convolution_walk {
  std::int32_t image_rows;  ///< rows of an input image
  std::int32_t line;        ///< size of an input row, in bytes
  std::int32_t in_channels;
  std::int32_t out_channels;
  std::int32_t output_rows;  ///< output rows of an image
  std::int32_t output_columns;
  std::int32_t row_pixels;  ///< output pixels of an image row, even if all pixels are joined into one row of `output_columns` pixels
  std::int32_t filter_rows;
  std::int32_t filter_columns;
  std::int32_t above;  ///< rows of padding above the image
  std::int32_t row_stride;
  std::int32_t row_span;      ///< input rows that a window spans
  std::int32_t step;          ///< distance between the windows of adjacent pixels, in bytes
  std::int32_t tap_step;      ///< distance between adjacent taps (positions in the window) of a filter row, in bytes
  std::int32_t row_dilation;  ///< distance between adjacent filter rows of a window, in rows of the image
  std::int32_t row_tap_step;  ///< distance between adjacent filter rows of a window, in bytes
  std::int32_t pitch;         ///< distance between the rows from which windows are read, in bytes (`convolution::pitch()`)
  std::int32_t run;           ///< inputs that are read per filter row
  std::int32_t depth;         ///< products per output, rounded up (`convolution::depth()`)
  std::int32_t skipped;       ///< products without a weight in a compact stream (`convolution::skipped()`)
  std::int32_t patch;       ///< size of the copied inputs of a pixel, in bytes; 0 if filter rows are read in place (`convolution::patch()`)
  std::int32_t strip_rows;  ///< rows of the strip, a copy of image rows with their padding (`image_strip`); 0 if there is no strip
  std::int32_t before;      ///< size of the padding on the left of each row, in bytes
  std::int32_t inside;      ///< size of the part of an image row that a strip row contains, in bytes
  std::int32_t input_zero_point;
  std::int32_t pair_words;  ///< words of a pair of output channels in the stream (`convolution::pair_words()`)

  constexpr explicit convolution_walk(const convolution& layer)
      : image_rows(layer.rows.input),
        line(layer.columns.input * layer.in_channels),
        in_channels(layer.in_channels),
        out_channels(layer.out_channels),
        output_rows(layer.rows.output),
        output_columns(layer.columns.output),
        row_pixels(layer.row_pixels),
        filter_rows(layer.rows.filter),
        filter_columns(layer.columns.filter),
        above(layer.rows.before),
        row_stride(layer.rows.stride),
        row_span(convolution::span_of(layer.rows)),
        step(layer.columns.stride * layer.in_channels),
        tap_step(layer.columns.dilation * layer.in_channels),
        row_dilation(layer.rows.dilation),
        row_tap_step(layer.rows.dilation * layer.pitch()),
        pitch(layer.pitch()),
        run(layer.has_runs() ? layer.whole_run() : layer.run()),
        depth(layer.depth()),
        skipped(layer.skipped()),
        patch(layer.patch()),
        strip_rows(layer.strip_rows()),
        before(layer.columns.before * layer.in_channels),
        inside(std::min(layer.pitch() - before, line)),
        input_zero_point(layer.input_zero_point),
        pair_words(layer.pair_words()) {}
};

}  // namespace baton::cortex_m::detail
