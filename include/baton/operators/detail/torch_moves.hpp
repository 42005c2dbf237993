// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of torch.export that change the shape or the order of elements, repeat elements, or create elements.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_cortex_m.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/executorch_moves.hpp>
#include <baton/operators/detail/executorch_pieces.hpp>
#include <baton/operators/detail/reshaping.hpp>
#include <baton/operators/detail/torch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::torch::definitions {

using executorch::definitions::copied_operands;
using executorch::definitions::infer_expanded;
using executorch::definitions::infer_full;
using executorch::definitions::infer_number;
using executorch::definitions::infer_padded_from_last;
using executorch::definitions::infer_pixel_shuffle;
using executorch::definitions::infer_same_type;
using executorch::definitions::infer_shape_of_second;
using executorch::definitions::infer_t_copy;
using executorch::definitions::infer_transpose_copy;
using executorch::definitions::infer_transposed_tensor;
using executorch::definitions::infer_view;

/// Infers a tensor with merged dimensions. Arguments 1 and 2 are the first and the last merged dimension; by default, all dimensions are
/// merged.
constexpr void infer_flattened(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  if (rank == 0) return node.set_shape(0, {1});
  if (rank > tensor_type::max_rank) return;
  const auto first = node.require_dimension(node.integer("arg_1"), rank), last = node.require_dimension(node.integer("arg_2", -1), rank);
  if (first == rank || last == rank || first > last) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d <= first || d > last) {
      shape.add(node.size(0, d));
      continue;
    }
    auto& merged = shape.sizes[first];
    const auto size = node.size(0, d);
    merged = merged < 0 || size < 0 || (size > 0 && merged > known_sizes::max / size) ? -1 : merged * size;
  }
  node.set_shape(0, shape);
}
/// Sets the shape of output 0 to the shape of operand 0 without the dimensions of size 1 in `axes`. If `is_all` is set, all dimensions of
/// size 1 are removed.
constexpr void set_squeezed(inference& node, span<const std::int64_t> axes, bool is_all) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0);
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto size = node.size(0, d);
    const bool is_named = is_all || std::any_of(axes.begin(), axes.end(), [&](auto axis) { return inference::dimension(axis, rank) == d; });
    if (is_named && size < 0) return;
    if (!is_named || size != 1) shape.add(size);
  }
  node.set_shape(0, shape);
}
constexpr void infer_squeezed(inference& node) { return set_squeezed(node, {}, true); }
constexpr void infer_squeezed_along(inference& node) {
  const std::int64_t axes[] = {node.integer("arg_1")};
  return set_squeezed(node, axes, false);
}
constexpr void infer_squeezed_along_several(inference& node) { return set_squeezed(node, node.list("arg_1"), false); }
/// Infers a tensor with a new dimension of size 1, whose position is argument 1.
constexpr void infer_unsqueezed(inference& node) {
  node.set_type(0, node.type(0));
  const auto rank = node.rank(0) + 1;
  const auto position = node.require_dimension(node.integer("arg_1"), rank);
  if (position == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d == position ? 1 : node.size(0, d < position ? d : d - 1));
  node.set_shape(0, shape);
}
/// Infers a repeated tensor. Argument 1 lists the number of copies along each dimension; additional numbers at the beginning add leading
/// dimensions.
constexpr void infer_repeated(inference& node) {
  node.set_type(0, node.type(0));
  const auto list = node.list("arg_1");
  if (list.size() < node.rank(0)) return;
  inferred_shape shape;
  const auto added = list.size() - node.rank(0);
  for (std::size_t d = 0; d < list.size(); ++d) {
    const auto size = d < added ? 1 : node.size(0, d - added);
    const bool is_known = size >= 0 && list[d] >= 0 && list[d] <= known_sizes::max / (size + 1);
    shape.add(is_known ? size * list[d] : -1);
  }
  node.set_shape(0, shape);
}
/// Sets the output shape to the list in argument 1.
constexpr void infer_new(inference& node) { return executorch::definitions::set_shape_from_list(node, "arg_1"); }
/// Infers a one-dimensional tensor. Its size stays unknown, because the arguments may be floating-point numbers.
constexpr void infer_range(inference& node) { node.set_shape(0, {-1}); }

/// Definitions of operators that change the shape or the order of elements, repeat elements, or create elements.
inline constexpr operator_definition moves[] = {
    define_view("aten.view.default", infer_view),
    define_view("aten.view_copy.default", infer_view),
    define_view("aten._unsafe_view.default", infer_view),
    define_view("aten.reshape.default", infer_view),
    define_view("aten.flatten.using_ints", infer_flattened),
    define_view("aten.unflatten.int", infer_same_type),
    define_view("aten.squeeze.default", infer_squeezed),
    define_view("aten.squeeze_copy.default", infer_squeezed),
    define_view("aten.squeeze.dim", infer_squeezed_along),
    define_view("aten.squeeze_copy.dim", infer_squeezed_along),
    define_view("aten.squeeze.dims", infer_squeezed_along_several),
    define_view("aten.squeeze_copy.dims", infer_squeezed_along_several),
    define_view("aten.unsqueeze.default", infer_unsqueezed),
    define_view("aten.unsqueeze_copy.default", infer_unsqueezed),
    define_view("aten.alias.default", infer_same_type_and_shape),
    define_view("aten.alias_copy.default", infer_same_type_and_shape),
    define_view("aten.detach.default", infer_same_type_and_shape),
    define_view("aten.detach_copy.default", infer_same_type_and_shape),
    define_view("aten.lift_fresh_copy.default", infer_same_type_and_shape),
    define_view("aten.contiguous.default", infer_same_type_and_shape),
    define("aten.clone.default", one_operand, infer_same_type_and_shape),
    define("aten.dropout.default", one_operand, infer_same_type_and_shape),
    define("aten.feature_dropout.default", one_operand, infer_same_type_and_shape),
    define("aten.copy.default", copied_operands, infer_same_type_and_shape),

    define("aten.permute.default", one_operand, infer_transposed_tensor),
    define("aten.permute_copy.default", one_operand, infer_transposed_tensor),
    define("aten.transpose.int", one_operand, infer_transpose_copy),
    define("aten.transpose_copy.int", one_operand, infer_transpose_copy),
    define("aten.swapaxes.default", one_operand, infer_transpose_copy),
    define("aten.t.default", one_operand, infer_t_copy),
    define("aten.t_copy.default", one_operand, infer_t_copy),
    define("aten.expand.default", one_operand, infer_expanded),
    define("aten.expand_copy.default", one_operand, infer_expanded),
    define("aten.expand_as.default", two_operands, infer_shape_of_second),
    define("aten.repeat.default", one_operand, infer_repeated),
    define("aten.flip.default", one_operand, infer_same_type_and_shape),
    define("aten.pad.default", one_operand, infer_padded_from_last),
    define("aten.constant_pad_nd.default", one_operand, infer_padded_from_last),
    define("aten.roll.default", one_operand, infer_same_type_and_shape),
    define("aten.replication_pad1d.default", one_operand, infer_padded_from_last),
    define("aten.replication_pad2d.default", one_operand, infer_padded_from_last),
    define("aten.reflection_pad1d.default", one_operand, infer_padded_from_last),
    define("aten.reflection_pad2d.default", one_operand, infer_padded_from_last),
    define("aten.pixel_shuffle.default", one_operand, infer_pixel_shuffle),
    define("aten.tril.default", one_operand, infer_same_type_and_shape),
    define("aten.triu.default", one_operand, infer_same_type_and_shape),

    define("aten.zeros.default", {}, infer_full),
    define("aten.ones.default", {}, infer_full),
    define("aten.full.default", {}, infer_full),
    define("aten.zeros_like.default", one_operand, infer_same_shape),
    define("aten.ones_like.default", one_operand, infer_same_shape),
    define("aten.full_like.default", one_operand, infer_same_shape),
    define("aten.new_zeros.default", one_operand, infer_new),
    define("aten.new_ones.default", one_operand, infer_new),
    define("aten.new_full.default", one_operand, infer_new),
    define("aten.scalar_tensor.default", {}, infer_number),
    define("aten.arange.default", {}, infer_range),
    define("aten.arange.start", {}, infer_range),
    define("aten.arange.start_step", {}, infer_range),
};

}  // namespace baton::torch::definitions
