// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that move or repeat elements, pad a tensor, or resize an image.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>

namespace baton::definitions {

inline constexpr operand_definition transpose_operands[] = {{"input"}, {"permutation"}};
inline constexpr operand_definition pad_operands[] = {{"input"}, {"paddings"}};
inline constexpr operand_definition padv2_operands[] = {{"input"}, {"paddings"}, {"value"}};
inline constexpr operand_definition tile_operands[] = {{"input"}, {"multiples"}};
inline constexpr operand_definition broadcast_to_operands[] = {{"input"}, {"shape"}};
inline constexpr operand_definition input_only[] = {{"input"}};
inline constexpr operand_definition batch_operands[] = {{"input"}, {"block"}, {"borders"}};
inline constexpr operand_definition resize_operands[] = {{"input"}, {"size"}};
inline constexpr operand_definition update_operands[] = {{"input"}, {"update"}, {"begin"}};

/// Infers the output as in `lite/kernels/transpose.cc` of TensorFlow Lite.
constexpr void infer_transpose(inference& node) {
  node.set_type(0, node.type(0));
  const auto order = node.integers(1);
  const auto rank = node.rank(0);
  if (order.are_known && order.count != rank) return node.fail({"the permutation has ", order.count, " dimensions, the input ", rank});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto from = order.are_known ? inference::dimension(order[d], rank) : rank;
    if (order.are_known && from == rank) return node.fail({"there is no dimension ", order[d]});
    shape.add(from == rank ? -1 : node.size(0, from));
  }
  node.set_shape(0, shape);
}
/// Infers the output of PyTorch's `permute`.
constexpr void infer_permute(inference& node) {
  node.set_type(0, node.type(0));
  const auto order = node.list("dims");
  const auto rank = node.rank(0);
  if (!node.has("dims")) return;
  if (order.size() != rank) return node.fail({"the permutation has ", order.size(), " dimensions, the input ", rank});
  inferred_shape shape;
  for (const auto axis : order) {
    const auto from = node.require_dimension(axis, rank);
    if (from == rank) return;
    shape.add(node.size(0, from));
  }
  node.set_shape(0, shape);
}
/// Infers a padded tensor (`lite/kernels/{pad,mirror_pad}.cc`). The paddings are two numbers for each dimension: how many elements to add
/// at its beginning and at its end.
constexpr void infer_pad(inference& node) {
  node.set_type(0, node.type(0));
  const auto paddings = node.integers(1);
  const auto rank = node.rank(0);
  if (paddings.are_known && paddings.count != 2 * rank)
    return node.fail({paddings.count, " paddings for ", rank, " dimensions; each dimension needs 2"});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto size = node.size(0, d);
    shape.add(size < 0 || !paddings.are_known ? -1 : size + paddings[2 * d] + paddings[2 * d + 1]);
  }
  node.set_shape(0, shape);
}
/// Infers the output as in `lite/kernels/tile.cc` of TensorFlow Lite.
constexpr void infer_tile(inference& node) {
  node.set_type(0, node.type(0));
  const auto multiples = node.integers(1);
  const auto rank = node.rank(0);
  if (multiples.are_known && multiples.count != rank) return node.fail({multiples.count, " multiples for ", rank, " dimensions"});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto size = node.size(0, d);
    shape.add(size < 0 || !multiples.are_known ? -1 : size * multiples[d]);
  }
  node.set_shape(0, shape);
}
/// Infers the output of PyTorch's `repeat`. The attribute `repeats` has a factor for each output dimension, and may add leading dimensions.
constexpr void infer_repeat(inference& node) {
  node.set_type(0, node.type(0));
  const auto repeats = node.list("repeats");
  const auto rank = node.rank(0);
  if (!node.has("repeats")) return;
  if (repeats.size() < rank) return node.fail({repeats.size(), " repeats for ", rank, " dimensions"});
  inferred_shape shape;
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    const auto size = d + rank < repeats.size() ? 1 : node.size(0, d + rank - repeats.size());
    shape.add(size < 0 || repeats[d] < 0 || repeats[d] > known_sizes::max ? -1 : size * repeats[d]);
  }
  node.set_shape(0, shape);
}
/// Infers the output as in `lite/kernels/broadcast_to.cc` of TensorFlow Lite.
constexpr void infer_broadcast_to(inference& node) {
  node.set_type(0, node.type(0));
  const auto sizes = node.integers(1);
  if (!sizes.are_known) return;
  if (sizes.count < node.rank(0)) return node.fail({"the shape has fewer dimensions than the input"});
  inferred_shape shape;
  for (std::size_t d = 0; d < sizes.count && shape.has_rank; ++d) shape.add(sizes[d]);
  node.set_shape(0, shape);
}
/// Infers the output as in `lite/kernels/space_to_depth.cc` of TensorFlow Lite.
constexpr void infer_space_to_depth(inference& node) {
  if (!node.require_rank(0, 4)) return;
  node.set_type(0, node.type(0));
  const auto block = node.integer("block_size");
  if (block <= 0 || block > 0x7fff) return;
  const auto part = [&](std::size_t d) { return node.size(0, d) < 0 ? -1 : node.size(0, d) / block; };
  node.set_shape(0, {node.size(0, 0), part(1), part(2), node.size(0, 3) < 0 ? -1 : node.size(0, 3) * block * block});
}
/// Infers the output as in `lite/kernels/depth_to_space.cc` of TensorFlow Lite.
constexpr void infer_depth_to_space(inference& node) {
  if (!node.require_rank(0, 4)) return;
  node.set_type(0, node.type(0));
  const auto block = node.integer("block_size");
  if (block <= 0 || block > 0x7fff) return;
  const auto times = [&](std::size_t d) { return node.size(0, d) < 0 ? -1 : node.size(0, d) * block; };
  node.set_shape(0, {node.size(0, 0), times(1), times(2), node.size(0, 3) < 0 ? -1 : node.size(0, 3) / (block * block)});
}
/// Infers the output of `batch_to_space_nd` if `is_to_space`, otherwise of `space_to_batch_nd`
/// (`lite/kernels/{batch_to_space_nd,space_to_batch_nd}.cc`). Operand 1 has a block size for each blocked dimension, starting with
/// dimension 1. Operand 2 has two numbers for each blocked dimension: the counts of elements at the beginning and at the end of the
/// dimension. These elements are cropped if `is_to_space`, otherwise added.
constexpr void infer_batches(inference& node, bool is_to_space) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  const auto blocks = node.integers(1);
  const auto borders = node.integers(2);
  if (!blocks.are_known || !borders.are_known || rank == 0) return;
  if (blocks.count + 1 > rank || borders.count != 2 * blocks.count)
    return node.fail({"blocks and borders do not fit the input's dimensions"});
  inferred_shape shape(node.shape(0));
  if (!shape.has_rank) return;
  for (std::size_t i = 0; i < blocks.count; ++i) {
    const auto block = blocks[i];
    if (block <= 0)
      return node.fail({"a block has ", block, " elements along dimension ", static_cast<std::int64_t>(i + 1), "; it needs one or more"});
    const auto around = borders[2 * i] + borders[2 * i + 1];
    auto& batch = shape.sizes[0];
    auto& size = shape.sizes[i + 1];
    size = node.size(0, i + 1);
    if (size >= 0) size = is_to_space ? size * block - around : (size + around) / block;
    if (size < 0) size = -1;
    if (batch > known_sizes::max) batch = -1;
    if (batch >= 0) batch = is_to_space ? batch / block : batch * block;
  }
  node.set_shape(0, shape);
}
constexpr void infer_batch_to_space(inference& node) { return infer_batches(node, true); }
constexpr void infer_space_to_batch(inference& node) { return infer_batches(node, false); }
/// Infers the output as in `lite/kernels/{resize_bilinear,resize_nearest_neighbor}.cc` of TensorFlow Lite.
constexpr void infer_resize(inference& node) {
  if (!node.require_rank(0, 4)) return;
  const auto size = node.integers(1);
  if (size.are_known && size.count != 2) return node.fail({"the size has ", size.count, " numbers and needs 2"});
  node.set_output(0, node.type(0), {node.size(0, 0), size.are_known ? size[0] : -1, size.are_known ? size[1] : -1, node.size(0, 3)});
}

/// Definitions of operators that move or repeat elements, pad a tensor, or resize an image.
inline constexpr operator_definition moving[] = {
    {.name = "aten.permute_copy.default", .operands = input_only, .infer = infer_permute},
    {.name = "aten.repeat.default", .operands = input_only, .infer = infer_repeat},
    {.name = "tfl.transpose", .operands = transpose_operands, .infer = infer_transpose},
    {.name = "tfl.pad", .operands = pad_operands, .infer = infer_pad},
    {.name = "tfl.padv2", .operands = padv2_operands, .infer = infer_pad},
    {.name = "tfl.mirror_pad", .operands = pad_operands, .infer = infer_pad},
    {.name = "tfl.tile", .operands = tile_operands, .infer = infer_tile},
    {.name = "tfl.broadcast_to", .operands = broadcast_to_operands, .infer = infer_broadcast_to},
    {.name = "tfl.space_to_depth", .operands = input_only, .infer = infer_space_to_depth},
    {.name = "tfl.depth_to_space", .operands = input_only, .infer = infer_depth_to_space},
    {.name = "tfl.batch_to_space_nd", .operands = batch_operands, .infer = infer_batch_to_space},
    {.name = "tfl.space_to_batch_nd", .operands = batch_operands, .infer = infer_space_to_batch},
    {.name = "tfl.resize_bilinear", .operands = resize_operands, .infer = infer_resize},
    {.name = "tfl.resize_nearest_neighbor", .operands = resize_operands, .infer = infer_resize},
    {.name = "tfl.dynamic_update_slice", .operands = update_operands, .infer = infer_same},
};

}  // namespace baton::definitions
