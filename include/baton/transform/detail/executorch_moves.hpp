// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's operators that move or create elements.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_order.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_gathering.hpp>
#include <baton/transform/detail/onnx_making.hpp>
#include <baton/transform/detail/onnx_moves.hpp>
#include <baton/transform/detail/onnx_slicing.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// `dim_order_ops._clone_dim_order.out`: a copy of the input in the order of the output.
constexpr void emit_clone(emission& to) {
  const auto want = order_of_output(to);
  const auto from = order_of_operand(to, 0);
  if (to.is_refused()) return;
  if (from.rank != want.rank) return to.refuse("input and output have different numbers of dimensions");
  if (from == want) return to.finish_reshape(to.in(0));
  to.finish_transpose(to.operand(0), reordering(to.stored_type(to.operand(0)), from, want));
}

/// `aten.view_copy.out`: the elements in memory with the shape of the output.
constexpr void emit_view(emission& to) {
  if (to.has_attribute("dim_orders")) return to.finish_reshape(to.operand(0));
  emit_reshape(to);
}

/// `aten.permute_copy.out`: input and permutation.
constexpr void emit_permute(emission& to) {
  to.state({{"perm", to.list("arg_1")}});
  emit_transpose(to);
}
constexpr auto permuting(const layout_query& node) -> manner { return manner_of_transpose(node, "arg_1"); }

/// `aten.select_copy.int_out`: input, dimension and position. The dimension is removed.
constexpr void emit_select(emission& to) {
  const auto in = to.in_file(0);
  auto part = to.stored_type(in);
  const auto axis = inference::dimension(to.integer("arg_1"), part.rank);
  if (axis == part.rank) return to.refuse("there is no dimension ", to.integer("arg_1"));
  auto at = to.integer("arg_2");
  if (at < 0) at += part.sizes[axis];
  if (at < 0 || at >= part.sizes[axis])
    return to.refuse("there is no position ", to.integer("arg_2"), " in dimension ", to.integer("arg_1"));
  part.sizes[axis] = 1;
  const auto shape = to.output_type();
  const std::int64_t starts[] = {at}, ends[] = {at + 1}, axes[] = {static_cast<std::int64_t>(axis)};
  to.set_operands({in});
  to.begin_inner("part", part);
  to.state(
      {{"starts", span<const std::int64_t>{starts}}, {"ends", span<const std::int64_t>{ends}}, {"axes", span<const std::int64_t>{axes}}});
  emit_slice(to);
  to.end_inner("select", "tfl.reshape", {{"new_shape", shape.shape()}});
}
/// `aten.split_with_sizes_copy.out`: input, sizes and dimension.
constexpr void emit_split_with_sizes(emission& to) {
  to.state({{"axis", to.integer("arg_2")}});
  emit_split(to);
}
/// `aten.cat.out`: inputs and dimension.
constexpr void emit_cat(emission& to) {
  to.state({{"axis", to.integer("arg_1")}});
  emit_concat(to);
}
/// `aten.index_put.out` with one list of positions along the first dimension: input, positions, elements, and whether they are added.
constexpr void emit_index_put(emission& to) {
  const auto positions = to.operand(1);
  if (to.operand_count() != 3 || positions == none<value_id>) return to.refuse("only positions along the first dimension are supported");
  const auto count = element_count(to.stored_type(positions).shape());
  const auto rows = tensor(to.record(positions).type, count, 1);
  const auto list = to.add("positions", "tfl.reshape", {positions}, rows, {{"new_shape", rows.shape()}});
  to.set_operands({to.operand(0), list, to.operand(2)});
  to.state({{"reduction", to.integer("arg_3") != 0 ? "add" : "none"}});
  emit_scatter_nd(to);
}
/// `aten.copy`: the memory that is written, and the elements, which are broadcast.
constexpr void emit_copy(emission& to) {
  to.set_operands({to.operand(1)});
  emit_expand(to);
}
/// `aten.full.out` and `aten.full_like.out`: a shape or an input, and a number.
constexpr void emit_full(emission& to) {
  if (to.output_type().type == dtype::float32) to.state({{"value", to.real("arg_1")}});
  if (to.output_type().type != dtype::float32) to.state({{"value", to.integer("arg_1")}});
  emit_constant_of_shape(to);
}

/// Operators that move or create elements.
inline constexpr legalization_row executorch_moves[] = {
    {"dim_order_ops._clone_dim_order.out", ordered<manner::same>, emit_clone},
    {"aten.clone.out", ordered<manner::same>, emit_clone},
    {"aten.view_copy.out", ordered<reshaping>, emit_view},
    {"aten.unsqueeze_copy.out", ordered<reshaping>, in_order<emit_reshape>},
    {"aten.squeeze_copy.dims_out", ordered<reshaping>, in_order<emit_reshape>},
    {"aten.permute_copy.out", ordered<permuting>, in_order<emit_permute>},
    {"aten.expand_copy.out", manner::fixed, in_order<emit_expand>},
    {"aten.select_copy.int_out", manner::fixed, in_order<emit_select>},
    {"aten.split_with_sizes_copy.out", ordered<along_axis>, in_order<emit_split_with_sizes>, 1, 255},
    {"aten.cat.out", ordered<along_axis>, in_order<emit_cat>},
    {"aten.index_put.out", manner::fixed, in_order<emit_index_put>, 1},
    {"aten.copy", manner::fixed, in_order<emit_copy>, 2},
    {"aten.full.out", manner::constant, emit_full, 0},
    {"aten.full_like.out", manner::constant, emit_full, 0},
};

}  // namespace baton::detail
