// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The max pooling of ExecuTorch's XNNPACK backend that also returns the position of each maximum.
#pragma once

#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/detail/pte_xnnpack_emission.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>

#include <cstdint>

namespace baton::pte::detail {

/// Adds the nodes of `XNNArgMaxPooling2d`. The window must have no padding. In one dimension (height or width), the window must be as large
/// as the image. In the other dimension, the size of the window must be 1 or the size of the image. Images are [N, H, W, C]. The second
/// output is the position of the first maximum in each window, as in XNNPACK.
constexpr void add_xnnpack_argmax_pool(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::argmax_pool;
  emitter.flags(slots::flags);
  const auto in = emitter.operand(slots::input), out = emitter.output(slots::output), index = emitter.output(slots::index);
  if (emitter.is_refused()) return;
  const auto image = emitter.type(in);
  const std::int64_t height = emitter.number(slots::height), width = emitter.number(slots::width);
  const bool is_valid =
      height > 0 && width > 0 &&
      (emitter.number(slots::top) | emitter.number(slots::right) | emitter.number(slots::bottom) | emitter.number(slots::left)) == 0;
  const bool spans_rows = image.rank == 4 && height == image.sizes[1], spans_columns = image.rank == 4 && width == image.sizes[2];
  if (!is_valid || !((spans_rows && (spans_columns || width == 1)) || (spans_columns && height == 1))) {
    emitter.refuse("has a padding, or a window of ", height, " by ", width,
                   ", which is neither the whole image nor a whole row or column; ", "pass baton::pte::keep_processed_bytes to pte::read");
    return;
  }
  if (image.type != dtype::float32 || emitter.type(out).type != dtype::float32 || emitter.type(index).type != dtype::int32) {
    emitter.refuse("has an image that is not float32, or an index that is not int32; pass baton::pte::keep_processed_bytes to pte::read");
    return;
  }
  const named_literal window[] = {
      {"filter_height", height}, {"filter_width", width},  {"stride_h", height}, {"stride_w", width},
      {"dilation_h_factor", 1},  {"dilation_w_factor", 1}, {"padding", "valid"}, {"fused_activation_function", "none"}};
  emitter.add("tfl.max_pool_2d", {&in, 1}, out, window);
  // If the window is the whole image, reshapes the image so that the elements of the window are along one dimension.
  auto line = image;
  auto searched = in;
  if (spans_rows && spans_columns) {
    line.sizes[1] = height * width;
    line.sizes[2] = 1;
    searched = emitter.temporary(line);
    emitter.copy(in, searched);
  }
  const std::int64_t axis = spans_rows ? 1 : 2;
  auto position_type = tensor(dtype::int32, line.sizes[0], line.sizes[spans_rows ? 2 : 1], line.sizes[3]);
  const auto position = emitter.temporary(position_type, dtype::int32);
  emitter.add("tfl.arg_max", {searched, emitter.integers({&axis, 1})}, position, {{"output_type", "int32"}});
  emitter.copy(position, index);
}

}  // namespace baton::pte::detail
