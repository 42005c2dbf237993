// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that return the elements of their input in the same order: reshapes, squeezes, and aliases.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition reshaping_operands[] = {{"input"}, {"shape", operand_definition::presence::optional}};
inline constexpr operand_definition view_operands[] = {{"input"}};
inline constexpr operand_definition expand_dims_operands[] = {{"input"}, {"axis"}};

/// Sets the shape of output 0 to `shape`. At most one size of `shape` may be -1; this size is computed from the number of elements.
constexpr void infer_reshape_to(inference& node, inferred_shape shape) {
  std::size_t open = shape.rank;
  std::int64_t known = 1;
  for (std::size_t i = 0; i < shape.rank; ++i) {
    if (shape.sizes[i] < 0 && open != shape.rank) return node.fail({"the new shape has two unknown sizes"});
    if (shape.sizes[i] < 0) open = i;
    if (shape.sizes[i] >= 0) known = known < 0 || (shape.sizes[i] > 0 && known > INT64_MAX / shape.sizes[i]) ? -1 : known * shape.sizes[i];
  }
  const auto elements = element_count(node.shape(0));
  if (elements >= 0 && known >= 0) {
    const bool fits = open == shape.rank ? elements == known : known != 0 && elements % known == 0;
    if (!fits) return node.fail({"the new shape does not have the ", elements, " elements of the input"});
    if (open != shape.rank) shape.sizes[open] = elements / known;
  }
  node.set_shape(0, shape);
}
/// Infers the output of a reshape (`lite/kernels/reshape.cc`). The shape is operand 1 if that operand is a one-dimensional int32 tensor,
/// otherwise the attribute `new_shape`. If `new_shape` is a single 0, the output is a scalar.
constexpr void infer_reshape(inference& node) {
  node.set_type(0, node.type(0));
  if (node.has(1) && node.rank(1) == 1 && node.type(1) == dtype::int32) {
    const auto sizes = node.integers(1);
    inferred_shape shape;
    if (sizes.are_known) {
      for (std::size_t i = 0; i < sizes.count && shape.has_rank; ++i) shape.add(sizes[i]);
      if (!shape.has_rank) return;
      return infer_reshape_to(node, shape);
    }
    for (std::int64_t i = 0; i < node.size(1, 0) && shape.has_rank; ++i) shape.add(-1);
    if (node.size(1, 0) >= 0) node.set_shape(0, shape);
    return;
  }
  const auto sizes = node.list("new_shape");
  if (sizes.empty()) return;
  const bool is_scalar = sizes.size() == 1 && sizes[0] == 0;
  const auto shape = inferred_shape(is_scalar ? span<const std::int64_t>{} : sizes);
  if (!shape.has_rank) return;
  return infer_reshape_to(node, shape);
}
/// Infers an output without the dimensions in `squeeze_dims`, or without all dimensions of size 1 if the list is empty
/// (`lite/kernels/squeeze.cc`).
constexpr void infer_squeeze(inference& node) {
  node.set_type(0, node.type(0));
  const auto named = node.list("squeeze_dims");
  const auto rank = node.rank(0);
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    bool is_named = false;
    for (const auto axis : named) is_named = is_named || inference::dimension(axis, rank) == d;
    const auto size = node.size(0, d);
    if (is_named && size > 1) return node.fail({"dimension ", d, " has ", size, " elements and cannot be removed"});
    if (named.empty() && size < 0) return;
    if (!is_named && (!named.empty() || size != 1)) shape.add(size);
  }
  node.set_shape(0, shape);
}
/// Infers an output with an additional dimension of size 1, at the position in operand 1 (`lite/kernels/expand_dims.cc`).
constexpr void infer_expand_dims(inference& node) {
  node.set_type(0, node.type(0));
  const auto axis = node.integers(1);
  const auto rank = node.rank(0) + 1;
  const auto position = axis.count == 0 ? rank : inference::dimension(axis[0], rank);
  if (axis.count != 0 && position == rank) return node.fail({"there is no dimension ", axis[0]});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(position == rank ? -1 : d == position ? 1 : node.size(0, d < position ? d : d - 1));
  node.set_shape(0, shape);
}

/// Infers the output of PyTorch's views. The shape is the attribute `size` or `shape`, if present.
constexpr void infer_view(inference& node) {
  node.set_type(0, node.type(0));
  const auto sizes = node.has("size") ? node.list("size") : node.list("shape");
  const inferred_shape shape(sizes);
  if (!sizes.empty() && shape.has_rank) return infer_reshape_to(node, shape);
}
constexpr void infer_unsqueeze(inference& node) {
  node.set_type(0, node.type(0));
  if (!node.has("dim")) return;
  const auto rank = node.rank(0) + 1;
  const auto position = node.require_dimension(node.integer("dim"), rank);
  if (position == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d == position ? 1 : node.size(0, d < position ? d : d - 1));
  node.set_shape(0, shape);
}
/// Infers only the dtype. Used for operators whose output shape depends on attributes that are not read.
constexpr void infer_reshaped(inference& node) { node.set_type(0, node.type(0)); }

/// Definitions of reshapes. Sources: PyTorch's page on tensor views, and the kernels of TensorFlow Lite that copy their input unchanged.
/// Transposes, slices and `expand` are views in PyTorch, but they are not listed here. With contiguous tensors, transposes and slices move
/// data, and `expand` creates elements.
inline constexpr operator_definition reshaping[] = {
    {.name = "aten.view.default", .operands = view_operands, .is_structural = true, .infer = infer_view},
    {.name = "aten.view_copy.default", .operands = view_operands, .is_structural = true, .infer = infer_view},
    {.name = "aten._unsafe_view.default", .operands = view_operands, .is_structural = true, .infer = infer_view},
    {.name = "aten.reshape.default", .operands = view_operands, .is_structural = true, .infer = infer_view},
    {.name = "aten.flatten.using_ints", .operands = view_operands, .is_structural = true, .infer = infer_reshaped},
    {.name = "aten.unflatten.int", .operands = view_operands, .is_structural = true, .infer = infer_reshaped},
    {.name = "aten.squeeze.default", .operands = view_operands, .is_structural = true, .infer = infer_squeeze},
    {.name = "aten.squeeze.dim", .operands = view_operands, .is_structural = true, .infer = infer_reshaped},
    {.name = "aten.squeeze.dims", .operands = view_operands, .is_structural = true, .infer = infer_reshaped},
    {.name = "aten.squeeze_copy.default", .operands = view_operands, .is_structural = true, .infer = infer_squeeze},
    {.name = "aten.squeeze_copy.dim", .operands = view_operands, .is_structural = true, .infer = infer_reshaped},
    {.name = "aten.squeeze_copy.dims", .operands = view_operands, .is_structural = true, .infer = infer_reshaped},
    {.name = "aten.unsqueeze.default", .operands = view_operands, .is_structural = true, .infer = infer_unsqueeze},
    {.name = "aten.unsqueeze_copy.default", .operands = view_operands, .is_structural = true, .infer = infer_unsqueeze},
    {.name = "aten.alias.default", .operands = view_operands, .is_structural = true, .infer = infer_same},
    {.name = "aten.alias_copy.default", .operands = view_operands, .is_structural = true, .infer = infer_same},
    {.name = "aten.detach.default", .operands = view_operands, .is_structural = true, .infer = infer_same},
    {.name = "aten.detach_copy.default", .operands = view_operands, .is_structural = true, .infer = infer_same},
    {.name = "tfl.reshape", .operands = reshaping_operands, .is_structural = true, .infer = infer_reshape},
    {.name = "tfl.squeeze", .operands = view_operands, .is_structural = true, .infer = infer_squeeze},
    {.name = "tfl.expand_dims", .operands = expand_dims_operands, .is_structural = true, .infer = infer_expand_dims},
    {.name = "tfl.stablehlo_reshape", .operands = view_operands, .is_structural = true},
};

}  // namespace baton::definitions
