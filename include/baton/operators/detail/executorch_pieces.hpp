// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ExecuTorch's operators that slice, join or repeat tensors, that read or write elements at positions, or that search for elements.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/executorch_moves.hpp>
#include <baton/operators/detail/executorch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::executorch::definitions {

inline constexpr operand_definition indexing_operands[] = {
    {"self"}, {"index_0", optional}, {"index_1", optional}, {"index_2", optional}, {"index_3", optional}};
/// The operand `values` follows the last index, so operands 2, 3 and 4 can each be an index or `values`.
inline constexpr operand_definition put_operands[] = {
    {"self"}, {"index_0", optional}, {"operand_2", optional}, {"operand_3", optional}, {"operand_4", optional}, {"values", optional}};
inline constexpr operand_definition positioned_operands[] = {{"self"}, {"index"}};
inline constexpr operand_definition scattered_operands[] = {{"self"}, {"index"}, {"src"}};
inline constexpr operand_definition replaced_operands[] = {{"self"}, {"src"}};

/// Infers the output of a slice. Arguments 1 to 4 are dimension, start, end and step. A start or end beyond the dimension is clamped.
constexpr void infer_slice_copy(inference& node) {
  const auto step = node.integer("arg_4", 1);
  const auto start = node.integer("arg_2"), end = node.integer("arg_3", known_sizes::max);
  return set_pieces(node, node.integer("arg_1"), [=](std::size_t, std::int64_t whole) {
    return whole < 0 || step <= 0 ? -1 : strided_axis{whole, start, end, step}.count();
  });
}
/// Infers the output of a slice of a given length. Arguments 1 to 3 are dimension, start and length.
constexpr void infer_narrow_copy(inference& node) {
  const auto length = node.integer("arg_3", -1);
  return set_pieces(node, node.integer("arg_1"), [=](std::size_t, std::int64_t) { return length; });
}
/// Infers an output with half the size of the input along the dimension in argument 1.
constexpr void infer_glu(inference& node) {
  return set_pieces(node, node.integer("arg_1", -1), [](std::size_t, std::int64_t whole) { return whole < 0 ? -1 : whole / 2; });
}
/// A dimension with `whole` elements is split into pieces of `each` elements; the last piece may be smaller. Returns the size of piece `i`.
/// Returns -1 if `whole` is unknown, or if `each` or `i` is out of range.
constexpr auto piece_size(std::size_t i, std::int64_t whole, std::int64_t each) -> std::int64_t {
  if (whole < 0 || each <= 0 || static_cast<std::int64_t>(i) > whole / each) return -1;
  return std::min(whole - static_cast<std::int64_t>(i) * each, each);
}
/// Infers the pieces of a split tensor. Argument 1 is the size of a piece along the dimension in argument 2. The last piece may be smaller.
constexpr void infer_split_copy(inference& node) {
  const auto each = node.integer("arg_1", 1);
  return set_pieces(node, node.integer("arg_2"), [=](std::size_t i, std::int64_t whole) { return piece_size(i, whole, each); });
}
/// Infers the outputs of an unbind. Each output has the shape of the input without the dimension in argument 1.
constexpr void infer_unbind(inference& node) {
  for (std::size_t i = 0; i < node.output_count(); ++i) node.set_type(i, node.type(0));
  if (node.has("dim_orders")) return;
  const auto axis = node.require_dimension(node.integer("arg_1"), node.rank(0));
  inferred_shape shape;
  for (std::size_t d = 0; d < node.rank(0); ++d) {
    if (d != axis) shape.add(node.size(0, d));
  }
  for (std::size_t i = 0; i < node.output_count(); ++i) node.set_shape(i, shape);
}
/// Infers an output with a new dimension, whose size is the number of operands. Argument 1 is the index of the new dimension.
constexpr void infer_stack(inference& node) {
  node.set_type(0, node.type(0));
  if (node.has("dim_orders")) return;
  const auto axis = node.require_dimension(node.integer("arg_1"), node.rank(0) + 1);
  inferred_shape shape;
  for (std::size_t d = 0; d <= node.rank(0); ++d) {
    if (d == axis) shape.add(static_cast<std::int64_t>(node.operand_count()));
    if (d < node.rank(0)) shape.add(node.size(0, d));
  }
  node.set_shape(0, shape);
}
/// Infers a padded tensor. Argument 1 lists the paddings before and after each dimension, starting with the last dimension.
constexpr void infer_padded_from_last(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  const auto list = node.list("arg_1");
  if (!shape.has_rank) return;
  if (list.size() % 2 != 0 || list.size() / 2 > shape.rank) {
    return node.fail({"the padding has ", list.size(), " numbers; it needs two for each padded dimension, and at most ", 2 * shape.rank});
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto& size = shape.sizes[shape.rank - 1 - i / 2];
    const bool is_known = list[i] <= known_sizes::max && list[i] >= -known_sizes::max && size >= 0 && size + list[i] >= 0;
    size = is_known ? size + list[i] : -1;
  }
  tensors.set_output_shape(shape);
}
constexpr void infer_t_copy(inference& node) {
  node.set_type(0, node.type(0));
  if (node.has("dim_orders")) return;
  if (node.rank(0) == 2) node.set_shape(0, inferred_shape{node.size(0, 1), node.size(0, 0)});
  if (node.rank(0) < 2) node.set_shape(0, inferred_shape(node.shape(0)));
}
/// Infers an output in which two dimensions are exchanged. Arguments 1 and 2 are these dimensions.
constexpr void infer_transpose_copy(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  if (!shape.has_rank || shape.rank == 0) return;
  const auto a = node.require_dimension(node.integer("arg_1"), shape.rank), b = node.require_dimension(node.integer("arg_2"), shape.rank);
  if (a == shape.rank || b == shape.rank) return;
  std::swap(shape.sizes[a], shape.sizes[b]);
  tensors.set_output_shape(shape);
}
/// Infers an output with the type of operand 0 and the shape of operand 1.
constexpr void infer_shape_of_second(inference& node) {
  node.set_type(0, node.type(0));
  if (!node.has("dim_orders") && node.has(1)) node.set_shape(0, inferred_shape(node.shape(1)));
}
/// Infers the output of `index_select`. The output's size along the dimension in argument 1 is the number of positions in operand 1.
constexpr void infer_index_select(inference& node) {
  const auto count = node.has(1) ? element_count(node.shape(1)) : -1;
  return set_pieces(node, node.integer("arg_1"), [=](std::size_t, std::int64_t) { return count; });
}
/// Infers the output of an `argmax` or `argmin`. Argument 1 is the dimension to search; if this argument is omitted, all dimensions are
/// searched. Argument 2 states whether the dimension is kept with size 1.
constexpr void infer_found_position(inference& node) {
  node.set_type(0, dtype::int64);
  return set_reduction_of_one(node);
}
/// Infers the outputs of a `max` or `min` along a dimension. Output 0 has the maximum or minimum elements. Output 1 has the positions of
/// these elements; only the type of output 1 is inferred. Argument 1 is the dimension. Argument 2 states whether this dimension is kept
/// with size 1.
constexpr void infer_extreme(inference& node) {
  node.set_type(0, node.type(0));
  node.set_type(1, dtype::int64);
  return set_reduction_of_one(node);
}
/// Infers the outputs of a `topk`: the largest elements (output 0), and their positions (output 1) as int64. Argument 1 is the number of
/// elements. Argument 2 is the dimension to search.
constexpr void infer_topk(inference& node) {
  const auto count = node.integer("arg_1", -1);
  set_pieces(node, node.integer("arg_2", -1), [=](std::size_t, std::int64_t) { return count; });
  node.set_type(1, dtype::int64);
}

/// Definitions of operators that slice, join or repeat tensors, read or write elements at positions, or search for elements.
inline constexpr operator_definition pieces[] = {
    {.name = "aten.slice_copy.Tensor_out", .operands = one_operand, .is_functional = true, .infer = infer_slice_copy},
    {.name = "aten.narrow_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_narrow_copy},
    {.name = "aten.split_copy.Tensor_out", .operands = one_operand, .is_functional = true, .infer = infer_split_copy},
    {.name = "aten.unbind_copy.int_out", .operands = one_operand, .is_functional = true, .infer = infer_unbind},
    {.name = "aten.stack.out", .operands = joined_operands, .is_functional = true, .infer = infer_stack},
    {.name = "aten.repeat.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type},
    {.name = "aten.flip.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.glu.out", .operands = one_operand, .is_functional = true, .infer = infer_glu},
    {.name = "aten.constant_pad_nd.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_from_last},
    {.name = "aten.reflection_pad1d.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_from_last},
    {.name = "aten.reflection_pad2d.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_from_last},
    {.name = "aten.reflection_pad3d.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_from_last},
    {.name = "aten.replication_pad1d.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_from_last},
    {.name = "aten.replication_pad2d.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_from_last},
    {.name = "aten.replication_pad3d.out", .operands = one_operand, .is_functional = true, .infer = infer_padded_from_last},
    {.name = "aten.roll.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.slice_scatter.out", .operands = replaced_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.select_scatter.out", .operands = replaced_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.tril.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.t_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_t_copy},
    {.name = "aten.transpose_copy.int_out", .operands = one_operand, .is_functional = true, .infer = infer_transpose_copy},
    {.name = "aten.index_select.out", .operands = positioned_operands, .is_functional = true, .infer = infer_index_select},
    {.name = "aten.index.Tensor_out", .operands = indexing_operands, .is_functional = true, .infer = infer_same_type},
    {.name = "aten.index_put.out", .operands = put_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.index_put", .operands = put_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.gather.out", .operands = positioned_operands, .is_functional = true, .infer = infer_shape_of_second},
    {.name = "aten.scatter.src_out", .operands = scattered_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.scatter_add.out", .operands = scattered_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.argmax.out", .operands = one_operand, .is_functional = true, .infer = infer_found_position},
    {.name = "aten.argmin.out", .operands = one_operand, .is_functional = true, .infer = infer_found_position},
    {.name = "aten.max.dim_max", .operands = one_operand, .is_functional = true, .infer = infer_extreme},
    {.name = "aten.min.dim_min", .operands = one_operand, .is_functional = true, .infer = infer_extreme},
    {.name = "aten.topk.values", .operands = one_operand, .is_functional = true, .infer = infer_topk},
    {.name = "aten.cumsum.out", .operands = one_operand, .is_functional = true, .infer = infer_same_shape},
};

}  // namespace baton::executorch::definitions
