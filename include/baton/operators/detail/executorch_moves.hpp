// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ExecuTorch's operators that move or create elements.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_cortex_m.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/executorch_rules.hpp>
#include <baton/operators/detail/joining.hpp>
#include <baton/operators/detail/reshaping.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::executorch::definitions {

inline constexpr operand_definition joined_operands[] = {{"tensors", repeated}};
inline constexpr operand_definition embedding_operands[] = {{"weight"}, {"indices"}};
inline constexpr operand_definition copied_operands[] = {{"self"}, {"src"}};

constexpr void infer_same_type(inference& node) { node.set_type(0, node.type(0)); }
/// Sets the output shape to the list in argument 1. A size of -1 is computed from the number of elements. The shape is not inferred if the
/// node has the attribute `dim_orders`, because the memory order of a tensor then differs from its dimension order.
constexpr void infer_view(inference& node) {
  node.set_type(0, node.type(0));
  if (node.has("dim_orders") || !node.has("arg_1")) return;
  const inferred_shape shape(node.list("arg_1"));
  if (shape.has_rank) return baton::definitions::infer_reshape_to(node, shape);
}
/// Sets the output shape to the list in argument 1. A size of -1 means the size of the operand in this dimension.
constexpr void infer_expanded(inference& node) {
  node.set_type(0, node.type(0));
  const ordered_tensors tensors(node);
  const auto from = tensors.shape(0);
  const auto list = node.list("arg_1");
  if (!from.has_rank || list.size() < from.rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < list.size(); ++d) {
    const auto added = list.size() - from.rank;
    shape.add(list[d] >= 0 && list[d] <= known_sizes::max ? list[d] : d < added ? -1 : from.sizes[d - added]);
  }
  tensors.set_output_shape(shape);
}
/// Infers the output of a `select`, which reads one position along a dimension and removes the dimension. Arguments 1 and 2 are the
/// dimension and the position.
constexpr void infer_selected(inference& node) {
  node.set_type(0, node.type(0));
  const std::int64_t axes[] = {node.integer("arg_1")};
  node.require_dimension(axes[0], node.rank(0));
  return set_reduction(node, axes, false);
}
constexpr void infer_joined_tensors(inference& node) {
  node.set_type(0, node.type(0));
  if (!node.has("dim_orders")) baton::definitions::infer_joined(node, node.integer("arg_1"));
}
/// Infers the pieces of a split tensor. Argument 1 lists the sizes of the pieces. Argument 2 is the dimension that is split.
constexpr void infer_split(inference& node) {
  const auto sizes = node.list("arg_1");
  return set_pieces(node, node.integer("arg_2"),
                    [=](std::size_t i, std::int64_t) { return i < sizes.size() ? number_of(sizes, i, -1) : -1; });
}
/// Sets the shape of output 0 to the list in the attribute `key`. Does not infer the dtype, which the file states.
constexpr void set_shape_from_list(inference& node, literal_name key) {
  inferred_shape shape;
  for (const auto size : node.list(key)) shape.add(size > known_sizes::max ? -1 : size);
  node.set_shape(0, shape);
}
constexpr void infer_full(inference& node) { return set_shape_from_list(node, "arg_0"); }
constexpr void infer_number(inference& node) { node.set_shape(0, inferred_shape{}); }
constexpr void infer_nothing(inference&) {}
constexpr void infer_embedding(inference& node) {
  node.set_type(0, node.type(0));
  inferred_shape shape(node.shape(1));
  if (node.rank(0) != 2) return;
  shape.add(node.size(0, 1));
  node.set_shape(0, shape);
}

/// Definitions of operators that move or create elements.
inline constexpr operator_definition moves[] = {
    {.name = "dim_order_ops._clone_dim_order.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "dim_order_ops._to_dim_order_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_same_shape},
    {.name = "aten.view_copy.out", .operands = one_operand, .is_structural = true, .is_functional = true, .infer = infer_view},
    {.name = "aten.permute_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_transposed_tensor},
    {.name = "aten.expand_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_expanded},
    {.name = "aten.select_copy.int_out", .operands = one_operand, .is_functional = true, .infer = infer_selected},
    {.name = "aten.split_with_sizes_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_split},
    {.name = "aten.squeeze_copy.dims_out", .operands = one_operand, .is_structural = true, .is_functional = true, .infer = infer_same_type},
    {.name = "aten.unsqueeze_copy.out", .operands = one_operand, .is_structural = true, .is_functional = true, .infer = infer_same_type},
    {.name = "aten.cat.out", .operands = joined_operands, .is_functional = true, .infer = infer_joined_tensors},
    {.name = "aten.embedding.out", .operands = embedding_operands, .is_functional = true, .infer = infer_embedding},
    {.name = "aten.copy.out", .operands = copied_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.copy", .operands = copied_operands, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.squeeze_copy.dim_out", .operands = one_operand, .is_structural = true, .is_functional = true, .infer = infer_same_type},
    {.name = "aten.alias_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.detach_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.lift_fresh_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.full.out", .is_functional = true, .infer = infer_full},
    {.name = "aten.zeros.out", .is_functional = true, .infer = infer_full},
    {.name = "aten.ones.out", .is_functional = true, .infer = infer_full},
    {.name = "aten.scalar_tensor.out", .is_functional = true, .infer = infer_number},
    {.name = "aten.fill.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.arange.out", .is_functional = true, .infer = infer_nothing},
    {.name = "aten.arange.start_out", .is_functional = true, .infer = infer_nothing},
};

}  // namespace baton::executorch::definitions
