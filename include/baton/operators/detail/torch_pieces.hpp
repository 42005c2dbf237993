// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of torch.export that extract slices of tensors, join tensors, or access elements at given positions.
#pragma once

#include <baton/operators/detail/executorch_moves.hpp>
#include <baton/operators/detail/executorch_pieces.hpp>
#include <baton/operators/detail/torch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::torch::definitions {

using executorch::definitions::embedding_operands;
using executorch::definitions::infer_embedding;
using executorch::definitions::infer_index_select;
using executorch::definitions::infer_joined_tensors;
using executorch::definitions::infer_narrow_copy;
using executorch::definitions::infer_same_type;
using executorch::definitions::infer_selected;
using executorch::definitions::infer_shape_of_second;
using executorch::definitions::infer_slice_copy;
using executorch::definitions::infer_split;
using executorch::definitions::infer_split_copy;
using executorch::definitions::infer_stack;
using executorch::definitions::infer_unbind;
using executorch::definitions::joined_operands;
using executorch::definitions::piece_size;
using executorch::definitions::positioned_operands;
using executorch::definitions::replaced_operands;
using executorch::definitions::scattered_operands;
using executorch::definitions::set_pieces;

inline constexpr operand_definition indexed_operands[] = {{"self"}, {"indices", optional}, {"more", optional}, {"values", optional}};
inline constexpr operand_definition written_operands[] = {{"self"}, {"index"}, {"source"}};

/// Infers the pieces of a split tensor. Argument 1 is the number of pieces. Argument 2 is the dimension that is split.
constexpr void infer_chunks(inference& node) {
  const auto count = node.integer("arg_1", 1);
  return set_pieces(node, node.integer("arg_2"), [=](std::size_t i, std::int64_t whole) {
    return count <= 0 || whole < 0 ? -1 : piece_size(i, whole, whole / count + (whole % count != 0 ? 1 : 0));
  });
}

/// Definitions of operators that extract slices of tensors, join tensors, or access elements at given positions.
inline constexpr operator_definition pieces[] = {
    define("aten.cat.default", joined_operands, infer_joined_tensors),
    define("aten.concat.default", joined_operands, infer_joined_tensors),
    define("aten.stack.default", joined_operands, infer_stack),
    define("aten.chunk.default", one_operand, infer_chunks),
    define("aten.split.Tensor", one_operand, infer_split_copy),
    define("aten.split_copy.Tensor", one_operand, infer_split_copy),
    define("aten.split.sizes", one_operand, infer_split),
    define("aten.split_with_sizes.default", one_operand, infer_split),
    define("aten.split_with_sizes_copy.default", one_operand, infer_split),
    define("aten.unbind.int", one_operand, infer_unbind),
    define("aten.unbind_copy.int", one_operand, infer_unbind),
    define("aten.slice.Tensor", one_operand, infer_slice_copy),
    define("aten.slice_copy.Tensor", one_operand, infer_slice_copy),
    define("aten.narrow.default", one_operand, infer_narrow_copy),
    define("aten.narrow_copy.default", one_operand, infer_narrow_copy),
    define("aten.select.int", one_operand, infer_selected),
    define("aten.select_copy.int", one_operand, infer_selected),
    define("aten.embedding.default", embedding_operands, infer_embedding),
    define("aten.index_select.default", positioned_operands, infer_index_select),
    define("aten.gather.default", positioned_operands, infer_shape_of_second),
    define("aten.scatter.src", scattered_operands, infer_same_type_and_shape),
    define("aten.scatter_add.default", scattered_operands, infer_same_type_and_shape),
    define("aten.index.Tensor", indexed_operands, infer_same_type),
    define("aten.index_put.default", indexed_operands, infer_same_type_and_shape),
    define("aten.index_copy.default", written_operands, infer_same_type_and_shape),
    define("aten.slice_scatter.default", replaced_operands, infer_same_type_and_shape),
    define("aten.select_scatter.default", replaced_operands, infer_same_type_and_shape),
};

}  // namespace baton::torch::definitions
