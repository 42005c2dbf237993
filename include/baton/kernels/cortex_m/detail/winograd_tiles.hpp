// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The loop of a Winograd convolution over pairs of tiles (see `winograd_layer`), and the `min_distance` between its input and its output.
#pragma once

#include <baton/kernel/min_distance.hpp>
#include <baton/kernels/cortex_m/detail/outputs.hpp>
#include <baton/kernels/cortex_m/detail/winograd_layer.hpp>
#include <baton/kernels/cortex_m/detail/winograd_routines.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::cortex_m::detail {

/// A range of output rows of an image, [`first`, `last`).
struct winograd_rows {
  std::int32_t first = 0;
  std::int32_t last = 0;

  constexpr auto tiles(const winograd_layer& layer) const -> std::int32_t {
    return (last - first + layer.tile_rows - 1) / layer.tile_rows * layer.tile_columns();
  }
};

/// A tile, given by the position of its first output.
struct winograd_tile {
  std::int32_t row = 0;
  std::int32_t column = 0;
};
/// Returns the tile with index `number` of a range of rows.
constexpr auto tile_at(const winograd_layer& layer, const winograd_rows& rows, std::int32_t number) -> winograd_tile {
  return {rows.first + number / layer.tile_columns() * layer.tile_rows, number % layer.tile_columns() * 2};
}

/// The input pixels of a tile. Pixels are unavailable if they are outside the image, or below the last input row on which the output rows
/// `rows` depend. Rows and columns are numbered from 0 in the tile.
class winograd_pixels {
 public:
  winograd_pixels(const winograd_layer& layer, const winograd_rows& rows, const winograd_tile& tile, const char* image)
      : pixel_(layer.in_channels),
        row_bytes_(layer.columns.input * pixel_) {
    const auto top = layer.rows.origin(tile.row);
    const auto left = layer.columns.origin(tile.column);
    from_ = image + top * row_bytes_ + left * pixel_;
    first_row_ = -top;
    end_of_rows_ = std::min(layer.rows.origin(rows.last - 1) + 3, layer.rows.input) - top;
    first_ = std::max<std::int32_t>(-left, 0);
    end_ = std::min<std::int32_t>(layer.columns.input - left, 4);
  }

  /// Returns the four pixels of row `y`. If all are available, the result points into the image. If not, the result is `copy`, in which
  /// unavailable pixels have the value `zero_point`. Not inlined, to reduce code size: the function has four calls, one for each row of a
  /// tile.
  [[gnu::noinline]] auto row(std::int32_t y, std::int32_t zero_point, char* copy) const -> const char* {
    const bool is_row = y >= first_row_ && y < end_of_rows_;
    if (is_row && end_ - first_ == 4) return from_ + y * row_bytes_;
    std::memset(copy, zero_point, static_cast<std::size_t>(4 * pixel_));
    if (is_row && first_ < end_)
      std::memcpy(copy + first_ * pixel_, from_ + y * row_bytes_ + first_ * pixel_, static_cast<std::size_t>((end_ - first_) * pixel_));
    return copy;
  }

 private:
  std::ptrdiff_t pixel_;
  std::ptrdiff_t row_bytes_;
  const char* from_;
  std::int32_t first_row_;    ///< the first available row
  std::int32_t end_of_rows_;  ///< the row after the last available row
  std::int32_t first_;        ///< the first available column
  std::int32_t end_;          ///< the column after the last available column
};

/// Copies the outputs of a tile to `image`, without the outputs outside the image or below the computed rows.
inline void copy_valid_outputs(const winograd_layer& layer, const winograd_rows& rows, const winograd_tile& tile, const char* outputs,
                               char* image) {
  const auto columns = std::min<std::int32_t>(2, layer.columns.output - tile.column);
  for (std::int32_t y = 0; y < layer.tile_rows && tile.row + y < rows.last; ++y) {
    std::memcpy(image + (std::ptrdiff_t{tile.row + y} * layer.columns.output + tile.column) * layer.channels,
                outputs + std::ptrdiff_t{2} * y * layer.channels, static_cast<std::size_t>(columns * layer.channels));
  }
}

/// The tiles [`first`, `last`) of a range of rows. `first` is even.
struct winograd_tiles {
  std::int32_t first;
  std::int32_t last;
};

/// Computes the tiles `tiles` of the output rows `rows`, two at a time. `Steps` is `winograd_steps`, or another class with the same
/// functions.
template <class Steps>
[[gnu::always_inline]] inline void convolve_tiles(const winograd_layer& layer, const winograd_rows& rows, const winograd_tiles& tiles,
                                                  const Steps& steps, std::int32_t zero_point, const char* image, const char* stream,
                                                  char* scratch, char* output) {
  char* const values = scratch;
  char* const copies = values + layer.value_bytes();
  const auto row_bytes = std::ptrdiff_t{layer.columns.output} * layer.channels;
  for (auto number = tiles.first; number < tiles.last; number += 2) {
    const bool are_two = number + 1 < tiles.last;
    const auto first = tile_at(layer, rows, number);
    const auto second = tile_at(layer, rows, are_two ? number + 1 : number);
    for (std::int32_t i = 0; i < 2; ++i) {
      const winograd_pixels pixels(layer, rows, i == 0 ? first : second, image);
      char* const to = values + 4 * i;
      char* const copy = copies + layer.pixel_row_bytes();
      const char* const row_2 = pixels.row(2, zero_point, copy);
      steps.transform_outer(pixels.row(0, zero_point, copies), row_2, to);
      const char* const row_1 = pixels.row(1, zero_point, copies);
      steps.transform_middle(row_1, row_2, to + 4 * layer.position_bytes());
      if (layer.tile_rows == 2) steps.transform_outer(row_1, pixels.row(3, zero_point, copy), to + 12 * layer.position_bytes());
    }
    const auto address_of = [&](const winograd_tile& tile) { return output + tile.row * row_bytes + tile.column * layer.channels; };
    const auto is_whole = [&](const winograd_tile& tile) {
      return tile.row + layer.tile_rows <= rows.last && tile.column + 2 <= layer.columns.output;
    };
    if (are_two && is_whole(first) && is_whole(second)) {
      steps.convolve(values, stream, {address_of(first), address_of(second)}, row_bytes);
    } else {
      // Some outputs of the pair may be outside the image or the computed rows, so both tiles are computed in a buffer.
      char* const outputs_of_first = copies;
      char* const outputs_of_second = outputs_of_first + 2 * layer.tile_rows * layer.channels;
      steps.convolve(values, stream, {outputs_of_first, outputs_of_second}, std::ptrdiff_t{2} * layer.channels);
      copy_valid_outputs(layer, rows, first, outputs_of_first, output);
      copy_valid_outputs(layer, rows, second, outputs_of_second, output);
    }
  }
}

/// Computes output rows [`first`, `last`). Row numbers continue from image to image of a batch.
template <class Steps>
[[gnu::always_inline]] inline void convolve_images(const winograd_plan& plan, const Steps& steps, const char* input, const char* stream,
                                                   char* scratch, char* output, std::int32_t first, std::int32_t last) {
  const auto& layer = plan.layer;
  const auto in_bytes = std::ptrdiff_t{layer.rows.input} * layer.columns.input * layer.in_channels;
  const auto row_bytes = layer.columns.output * layer.channels;
  for (std::int32_t batch = 0; batch < layer.batches; ++batch) {
    const auto before = batch * layer.rows.output;
    const winograd_rows rows{std::max<std::int32_t>(0, first - before), std::min(last - before, layer.rows.output)};
    if (rows.first >= rows.last) continue;
    char* const to = output + std::ptrdiff_t{before} * row_bytes;
    convolve_tiles(layer, rows, {0, rows.tiles(layer)}, steps, plan.input_zero_point, input + batch * in_bytes, stream, scratch, to);
    clamp_outputs(plan.range, to + std::ptrdiff_t{rows.first} * row_bytes, (rows.last - rows.first) * row_bytes);
  }
}

/// Computes the pairs of tiles [`first`, `last`). The batch has one image.
template <class Steps>
[[gnu::always_inline]] inline void convolve_pairs(const winograd_plan& plan, const Steps& steps, const char* input, const char* stream,
                                                  char* scratch, char* output, std::int32_t first, std::int32_t last) {
  const auto& layer = plan.layer;
  const winograd_rows rows{0, layer.rows.output};
  const winograd_tiles tiles{2 * first, std::min(2 * last, rows.tiles(layer))};
  convolve_tiles(layer, rows, tiles, steps, plan.input_zero_point, input, stream, scratch, output);
  for (auto number = tiles.first; number < tiles.last; ++number) {
    const auto tile = tile_at(layer, rows, number);
    const auto columns = std::min<std::int32_t>(2, layer.columns.output - tile.column);
    for (auto row = tile.row; row < std::min(tile.row + 2, rows.last); ++row) {
      clamp_outputs(plan.range, output + (std::ptrdiff_t{row} * layer.columns.output + tile.column) * layer.channels,
                    columns * layer.channels);
    }
  }
}
/// Returns the number of pairs of tiles of an image.
constexpr auto pairs_of(const winograd_layer& layer) -> std::int32_t { return (winograd_rows{0, layer.rows.output}.tiles(layer) + 1) / 2; }
/// Returns the number of output pixels of the largest pair of tiles. If an image has only one column of tiles, the two tiles of a pair are
/// in different rows of tiles.
constexpr auto pixels_of_largest_pair(const winograd_layer& layer) -> std::int32_t {
  const bool has_one_column = layer.tile_columns() == 1;
  return std::min<std::int32_t>(has_one_column ? 4 : 2, layer.rows.output) * std::min<std::int32_t>(4, layer.columns.output);
}

/// Calls the routines through pointers, so that all layers share this function.
[[gnu::noinline]] inline void convolve_images(const winograd_plan& plan, const winograd_routines& routines, const char* input,
                                              const char* stream, char* scratch, char* output, std::int32_t first, std::int32_t last) {
  convolve_images<winograd_routines>(plan, routines, input, stream, scratch, output, first, last);
}
/// Calls the routines through pointers, like the function above.
[[gnu::noinline]] inline void convolve_pairs(const winograd_plan& plan, const winograd_routines& routines, const char* input,
                                             const char* stream, char* scratch, char* output, std::int32_t first, std::int32_t last) {
  convolve_pairs<winograd_routines>(plan, routines, input, stream, scratch, output, first, last);
}

/// Returns the `min_distance` between input and output. A pair of tiles reads all its inputs before it writes. So the distance of a pair is
/// the end of the outputs written before the pair, minus the offset of the first input byte of the pair. For one image, the result is the
/// maximum over all pairs. If the output of an image is larger than its input, each further image adds the difference in bytes. The result
/// is at most the size of all outputs. If rows of tiles are computed separately, pairs are counted from the start of each row, so the
/// maximum also includes these pairs.
constexpr auto winograd_distance(const winograd_layer& layer) -> min_distance {
  const auto in_row = std::int64_t{layer.columns.input} * layer.in_channels;
  const auto out_row = std::int64_t{layer.columns.output} * layer.channels;
  std::int64_t lead = 0;
  const winograd_rows all{0, layer.rows.output};
  for (std::int32_t number = 1; number < all.tiles(layer); ++number) {
    if (number % 2 != 0 && number % layer.tile_columns() % 2 != 0) continue;
    const auto before = tile_at(layer, all, number - 1);
    const auto row_end = std::min(before.row + 2, layer.rows.output);
    const auto column_end = std::min(before.column + 2, layer.columns.output);
    const auto written = (row_end - 1) * out_row + std::int64_t{column_end} * layer.channels;
    const auto tile = tile_at(layer, all, number);
    const auto read = std::max<std::int32_t>(layer.rows.origin(tile.row), 0) * in_row +
                      std::max<std::int32_t>(layer.columns.origin(tile.column), 0) * std::int64_t{layer.in_channels};
    lead = std::max(lead, written - read);
  }
  const auto output = layer.rows.output * out_row;
  const auto grows = output - layer.rows.input * in_row;  // growth from input to output, in bytes per image of the batch
  return {.ascending = std::min(layer.batches * output, lead + (layer.batches - 1) * std::max<std::int64_t>(grows, 0))};
}

}  // namespace baton::cortex_m::detail
