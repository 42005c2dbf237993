// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces the ONNX transposed convolution.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_image.hpp>
#include <baton/transform/detail/onnx_layers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// One dimension of a transposed convolution. The result without padding begins `before` elements before the output.
struct transposed_dimension {
  std::int64_t in = 1;
  std::int64_t filter = 1;
  std::int64_t stride = 1;
  std::int64_t out = 1;
  std::int64_t before = 0;
};

/// Reads dimension `d` of the image from `strides`, `dilations`, `pads`, `auto_pad` and the size of the output.
constexpr auto transposed_dimension_of(emission& to, std::size_t d) -> transposed_dimension {
  const auto in = to.file_type(to.operand(0)), out = to.file_type(to.output()), weights = to.stored_type(to.operand(1));
  transposed_dimension axis{in.sizes[2 + d], weights.sizes[2 + d], to.entry("strides", d, 1), out.sizes[2 + d], to.entry("pads", d, 0)};
  constexpr std::int64_t most = 1 << 20;
  const bool is_sane = axis.in > 0 && axis.in < most && axis.filter > 0 && axis.filter < most && axis.stride > 0 && axis.stride < most &&
                       axis.out > 0 && axis.out < most && axis.before >= 0 && axis.before < most;
  if (!is_sane) return to.refuse("a size, stride or padding is invalid"), axis;
  if (to.entry("dilations", d, 1) != 1) return to.refuse("a dilation other than 1 is not supported"), axis;
  // As in the ONNX standard: with `output_shape` or `auto_pad`, the sizes determine the total padding, which is divided between both sides.
  const auto mode = to.text("auto_pad");
  const bool is_same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (mode == "VALID") axis.before = 0;
  if (!is_same && !to.has_attribute("output_shape")) return axis;
  const auto sum = axis.stride * (axis.in - 1) + to.entry("output_padding", d, 0) + axis.filter - axis.out;
  if (sum < 0) return to.refuse("the output is too large for the operands"), axis;
  axis.before = mode == "SAME_UPPER" ? sum / 2 : sum - sum / 2;
  return axis;
}

/// `onnx.ConvTranspose`. Weights [inputs, outputs, height, width] become [outputs, height, width, inputs]. The new layer always has VALID
/// padding. If the ONNX node has padding, the layer computes more rows and columns, which a slice removes.
constexpr void emit_transposed_convolution(emission& to) {
  const auto in = to.file_type(to.operand(0)), weights = to.stored_type(to.operand(1)), out = to.output_type();
  const auto dimensions = in.rank < 2 ? 0 : in.rank - 2;
  if (dimensions < 1 || dimensions > 2 || weights.rank != in.rank || out.rank != in.rank) {
    return to.refuse("images of ", dimensions, " dimensions are not supported");
  }
  if (to.integer("group", 1) != 1) return to.refuse("groups of a transposed convolution are not supported");
  if (!can_move_weights(to, 1, 1)) return;
  transposed_dimension rows, columns;
  if (dimensions == 2) rows = transposed_dimension_of(to, 0);
  columns = transposed_dimension_of(to, dimensions - 1);
  if (to.is_refused()) return;
  const permutation by{tensor(weights.type, weights.sizes[0], weights.sizes[1], rows.filter, columns.filter), {1, 2, 3, 0}};
  const auto filter = to.moved(to.operand(1), by, by.result(), 0);
  const auto image = image_with_height(to, dimensions);
  const auto channels = out.sizes[out.rank - 1];
  const auto part = tensor(out.type, out.sizes[0], rows.out, columns.out, channels);
  const auto reach = [](const transposed_dimension& axis) { return std::max(axis.out + axis.before, axis.filter); };
  const auto whole = tensor(out.type, out.sizes[0], reach(rows), reach(columns), channels);
  const bool is_sliced = whole.sizes[1] != part.sizes[1] || whole.sizes[2] != part.sizes[2];
  begin_image_output(to, dimensions);
  if (is_sliced) to.begin_inner("whole", whole);
  const auto shape = to.integer_constant("shape", whole.shape());
  const value_id operands[] = {shape, filter, image, to.operand(2)};
  const named_literal literals[] = {
      {"padding", "valid"}, {"stride_w", columns.stride}, {"stride_h", rows.stride}, {"fused_activation_function", "none"}};
  to.finish("tfl.transpose_conv", span<const value_id>{operands, to.has(2) ? std::size_t{4} : std::size_t{3}}, literals);
  if (is_sliced) {
    const std::int64_t begin[] = {0, rows.before, columns.before, 0};
    const value_id others[] = {to.integer_constant("begin", begin), to.integer_constant("size", part.shape())};
    to.end_inner("slice", "tfl.slice", others);
  }
  end_image_output(to, dimensions);
}

/// The transposed convolution.
inline constexpr legalization_row onnx_transposed_convolution[] = {
    {"onnx.ConvTranspose", manner::image, emit_transposed_convolution, 2},
};

}  // namespace baton::detail
