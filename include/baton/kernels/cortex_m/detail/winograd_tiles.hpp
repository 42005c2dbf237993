// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The walk over the tiles of images, two and two, and its distance.
#pragma once

#include <baton/kernels/cortex_m/detail/outputs.hpp>
#include <baton/kernels/cortex_m/detail/winograd_layer.hpp>
#include <baton/kernels/cortex_m/detail/winograd_routines.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::cortex_m::detail {

/// A tile: which outputs it makes.
struct winograd_tile {
  std::int32_t row = 0;  ///< of its first output
  std::int32_t column = 0;
};
constexpr auto tile_at(const winograd_layer& layer, std::int32_t number) -> winograd_tile {
  return {number / layer.tile_columns() * 2, number % layer.tile_columns() * 2};
}

/// The 4 by 4 pixels of a tile: where they lie in the image, or a copy in `patch` with the zero point outside of it.
struct winograd_source {
  const char* from = nullptr;
  std::ptrdiff_t row_bytes = 0;
};
inline auto source_of(const winograd_layer& layer, std::int32_t zero_point, const winograd_tile& tile, const char* image, char* patch)
    -> winograd_source {
  const auto top = layer.rows.origin(tile.row);
  const auto left = layer.columns.origin(tile.column);
  const std::ptrdiff_t pixel = layer.in_channels;
  const auto row_bytes = layer.columns.input * pixel;
  const bool is_inside = top >= 0 && left >= 0 && top + 4 <= layer.rows.input && left + 4 <= layer.columns.input;
  if (is_inside) return {image + top * row_bytes + left * pixel, row_bytes};
  std::memset(patch, zero_point, static_cast<std::size_t>(layer.patch_bytes()));
  const auto first = std::max<std::int32_t>(left, 0);
  const auto last = std::min(left + 4, layer.columns.input);
  for (std::int32_t y = 0; y < 4 && first < last; ++y) {
    if (top + y < 0 || top + y >= layer.rows.input) continue;
    std::memcpy(patch + (4 * y + first - left) * pixel, image + (top + y) * row_bytes + first * pixel,
                static_cast<std::size_t>((last - first) * pixel));
  }
  return {patch, 4 * pixel};
}

/// Copies what lies inside the output of a tile that reaches over it.
inline void copy_part(const winograd_layer& layer, const winograd_tile& tile, const char* part, char* image) {
  const auto columns = std::min<std::int32_t>(2, layer.columns.output - tile.column);
  for (std::int32_t y = 0; y < 2 && tile.row + y < layer.rows.output; ++y) {
    std::memcpy(image + (std::ptrdiff_t{tile.row + y} * layer.columns.output + tile.column) * layer.channels,
                part + std::ptrdiff_t{2} * y * layer.channels, static_cast<std::size_t>(columns * layer.channels));
  }
}

/// All tiles of an image, two and two.
template <class Parts>
[[gnu::always_inline]] inline void convolve_tiles(const winograd_layer& layer, const Parts& parts, std::int32_t zero_point,
                                                  const char* image, const char* stream, char* scratch, char* output) {
  char* const values = scratch;
  char* const patch = values + layer.value_bytes();
  char* const part = patch + layer.patch_bytes();
  const auto row_bytes = std::ptrdiff_t{layer.columns.output} * layer.channels;
  for (std::int32_t number = 0; number < layer.tiles(); number += 2) {
    const auto first = tile_at(layer, number);
    const auto second = tile_at(layer, number + 1 < layer.tiles() ? number + 1 : number);
    const auto transform = [&](const winograd_tile& tile, char* to) {
      const auto source = source_of(layer, zero_point, tile, image, patch);
      parts.transform(source.from, source.row_bytes, to);
    };
    transform(first, values);
    transform(second, values + 4);
    const auto place_of = [&](const winograd_tile& tile) { return output + tile.row * row_bytes + tile.column * layer.channels; };
    const auto is_whole = [&](const winograd_tile& tile) {
      return tile.row + 2 <= layer.rows.output && tile.column + 2 <= layer.columns.output;
    };
    if (!layer.has_part_tiles() || (is_whole(first) && is_whole(second) && number + 1 < layer.tiles())) {
      parts.convolve(values, stream, {place_of(first), place_of(second)}, row_bytes);
    } else {
      // Both by way of memory of their own.
      char* const other = part + 4 * layer.channels;
      parts.convolve(values, stream, {part, other}, std::ptrdiff_t{2} * layer.channels);
      copy_part(layer, first, part, output);
      copy_part(layer, second, other, output);
    }
  }
}

/// All images of a batch.
template <class Parts>
[[gnu::always_inline]] inline void convolve_images(const winograd_plan& plan, const Parts& parts, const char* input, const char* stream,
                                                   char* scratch, char* output) {
  const auto& layer = plan.layer;
  const auto in_bytes = std::ptrdiff_t{layer.rows.input} * layer.columns.input * layer.in_channels;
  const auto out_count = layer.rows.output * layer.columns.output * layer.channels;
  for (std::int32_t batch = 0; batch < layer.batches; ++batch) {
    char* const to = output + std::ptrdiff_t{batch} * out_count;
    convolve_tiles(layer, parts, plan.input_zero_point, input + batch * in_bytes, stream, scratch, to);
    cut_outputs(plan.range, to, out_count);
  }
}

/// The same by routines.
[[gnu::noinline]] inline void convolve_images_by(const winograd_plan& plan, const winograd_routines& routines, const char* input,
                                                 const char* stream, char* scratch, char* output) {
  convolve_images(plan, routines, input, stream, scratch, output);
}

/// The distance of a walk over tiles, two and two, row by row of tiles: the most bytes that are written when two begin, beyond the first
/// byte that they read. All that two tiles need is read before they write.
constexpr auto winograd_distance(const winograd_layer& layer) -> least_distance {
  const auto in_row = std::int64_t{layer.columns.input} * layer.in_channels;
  const auto out_row = std::int64_t{layer.columns.output} * layer.channels;
  std::int64_t most = 0;
  for (std::int32_t number = 2; number < layer.tiles(); number += 2) {
    const auto before = tile_at(layer, number - 1);
    const auto row_end = std::min(before.row + 2, layer.rows.output);
    const auto column_end = std::min(before.column + 2, layer.columns.output);
    const auto written = (row_end - 1) * out_row + std::int64_t{column_end} * layer.channels;
    const auto tile = tile_at(layer, number);
    const auto read = std::max<std::int32_t>(layer.rows.origin(tile.row), 0) * in_row +
                      std::max<std::int32_t>(layer.columns.origin(tile.column), 0) * std::int64_t{layer.in_channels};
    most = std::max(most, written - read);
  }
  const auto output = layer.rows.output * out_row;
  const auto grows = output - layer.rows.input * in_row;  // from image to image
  return {.ascending = std::min(layer.batches * output, most + (layer.batches - 1) * std::max<std::int64_t>(grows, 0))};
}

}  // namespace baton::cortex_m::detail
