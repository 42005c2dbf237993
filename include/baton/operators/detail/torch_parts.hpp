// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of torch.export that take parts of tensors, join tensors, or access elements at given positions.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_moves.hpp>
#include <baton/operators/detail/executorch_parts.hpp>
#include <baton/operators/detail/torch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/strided_axis.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::torch::definitions {

using executorch::definitions::infer_embedding;
using executorch::definitions::infer_joined_tensors;
using executorch::definitions::infer_selected;
using executorch::definitions::infer_split;
using executorch::definitions::scattered_operands;

inline constexpr operand_definition joined_operands[] = {{"tensors", repeated}};
inline constexpr operand_definition table_operands[] = {{"weight"}, {"indices"}};
inline constexpr operand_definition gathered_operands[] = {{"self"}, {"index"}};
inline constexpr operand_definition indexed_operands[] = {{"self"}, {"indices", optional}, {"more", optional}, {"values", optional}};
inline constexpr operand_definition written_operands[] = {{"self"}, {"index"}, {"source"}};
inline constexpr operand_definition inserted_operands[] = {{"self"}, {"src"}};

/// Gives all outputs the shape of operand 0, with other sizes along one dimension: `size_of(i, whole)`, -1 if it is unknown.
template <class SizeOf>
constexpr void give_parts(inference& at, std::int64_t along, SizeOf size_of) {
  for (std::size_t i = 0; i < at.output_count(); ++i) at.give_type(i, at.type(0));
  const auto axis = at.needs_dimension(along, at.rank(0));
  if (axis == at.rank(0)) return;
  for (std::size_t i = 0; i < at.output_count(); ++i) {
    inferred_shape shape(at.shape(0));
    if (!shape.has_rank) return;
    shape.sizes[axis] = size_of(i, at.size(0, axis));
    at.give_shape(i, shape);
  }
}
/// Returns the size of part `i` if each but the last has `each` elements.
constexpr auto part_size(std::size_t i, std::int64_t whole, std::int64_t each) -> std::int64_t {
  if (whole < 0 || each <= 0 || static_cast<std::int64_t>(i) > whole / each) return -1;
  return std::clamp<std::int64_t>(whole - static_cast<std::int64_t>(i) * each, 0, each);
}
/// Arguments 1 and 2: the number of parts, and the dimension.
constexpr void infer_chunks(inference& at) {
  const auto count = at.integer("arg_1", 1);
  return give_parts(at, at.integer("arg_2"), [count](std::size_t i, std::int64_t whole) {
    return count <= 0 || whole < 0 ? -1 : part_size(i, whole, whole / count + (whole % count != 0 ? 1 : 0));
  });
}
/// Arguments 1 and 2: the size of each part, and the dimension.
constexpr void infer_equal_parts(inference& at) {
  const auto each = at.integer("arg_1", 1);
  return give_parts(at, at.integer("arg_2"), [each](std::size_t i, std::int64_t whole) { return part_size(i, whole, each); });
}
/// Argument 1 is the dimension, which is removed.
constexpr void infer_unbound(inference& at) {
  const auto axis = at.needs_dimension(at.integer("arg_1"), at.rank(0));
  inferred_shape shape;
  for (std::size_t d = 0; d < at.rank(0); ++d) {
    if (d != axis) shape.add(at.size(0, d));
  }
  for (std::size_t i = 0; i < at.output_count(); ++i) at.give(i, at.type(0), shape);
}
/// Argument 1 is the position of the new dimension.
constexpr void infer_stacked(inference& at) {
  at.give_type(0, at.type(0));
  const auto rank = at.rank(0) + 1;
  const auto position = at.needs_dimension(at.integer("arg_1"), rank);
  if (position == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d)
    shape.add(d == position ? static_cast<std::int64_t>(at.operand_count()) : at.size(0, d < position ? d : d - 1));
  at.give_shape(0, shape);
}
/// Arguments 1 to 4: dimension, start, end and step. Starts and ends beyond the dimension are limited.
constexpr void infer_sliced(inference& at) {
  const auto step = at.integer("arg_4", 1);
  const auto start = at.integer("arg_2"), end = at.integer("arg_3", known_sizes::max);
  return give_parts(at, at.integer("arg_1"), [=](std::size_t, std::int64_t whole) {
    return whole < 0 || step <= 0 ? -1 : strided_axis{whole, start, end, step}.count();
  });
}
/// Arguments 1 to 3: dimension, start and length.
constexpr void infer_narrowed(inference& at) {
  const auto length = at.integer("arg_3", -1);
  return give_parts(at, at.integer("arg_1"), [length](std::size_t, std::int64_t) { return length; });
}
/// Operand 1 is a list of positions along dimension `arg_1`.
constexpr void infer_index_selected(inference& at) {
  const auto count = element_count(at.shape(1));
  return give_parts(at, at.integer("arg_1"), [count](std::size_t, std::int64_t) { return count; });
}
/// The output has the shape of the positions, operand 1.
constexpr void infer_gathered(inference& at) { at.give(0, at.type(0), inferred_shape(at.shape(1))); }
/// Only the type is inferred: the shape depends on several lists of positions.
constexpr void infer_indexed(inference& at) { at.give_type(0, at.type(0)); }

/// Definitions of operators that take parts of tensors, join tensors, or access elements at given positions.
inline constexpr operator_definition parts[] = {
    define("aten.cat.default", joined_operands, infer_joined_tensors),
    define("aten.concat.default", joined_operands, infer_joined_tensors),
    define("aten.stack.default", joined_operands, infer_stacked),
    define("aten.chunk.default", one_operand, infer_chunks),
    define("aten.split.Tensor", one_operand, infer_equal_parts),
    define("aten.split_copy.Tensor", one_operand, infer_equal_parts),
    define("aten.split.sizes", one_operand, infer_split),
    define("aten.split_with_sizes.default", one_operand, infer_split),
    define("aten.split_with_sizes_copy.default", one_operand, infer_split),
    define("aten.unbind.int", one_operand, infer_unbound),
    define("aten.unbind_copy.int", one_operand, infer_unbound),
    define("aten.slice.Tensor", one_operand, infer_sliced),
    define("aten.slice_copy.Tensor", one_operand, infer_sliced),
    define("aten.narrow.default", one_operand, infer_narrowed),
    define("aten.narrow_copy.default", one_operand, infer_narrowed),
    define("aten.select.int", one_operand, infer_selected),
    define("aten.select_copy.int", one_operand, infer_selected),
    define("aten.embedding.default", table_operands, infer_embedding),
    define("aten.index_select.default", gathered_operands, infer_index_selected),
    define("aten.gather.default", gathered_operands, infer_gathered),
    define("aten.scatter.src", scattered_operands, infer_alike),
    define("aten.scatter_add.default", scattered_operands, infer_alike),
    define("aten.index.Tensor", indexed_operands, infer_indexed),
    define("aten.index_put.default", indexed_operands, infer_alike),
    define("aten.index_copy.default", written_operands, infer_alike),
    define("aten.slice_scatter.default", inserted_operands, infer_alike),
    define("aten.select_scatter.default", inserted_operands, infer_alike),
};

}  // namespace baton::torch::definitions
