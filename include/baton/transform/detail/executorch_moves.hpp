// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's operators that move or create elements. Comments list the arguments of an operator in parentheses after its name,
// in order.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_order.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_making.hpp>
#include <baton/transform/detail/onnx_moves.hpp>
#include <baton/transform/detail/onnx_slicing.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Replaces `dim_order_ops._clone_dim_order.out`, `aten.clone.out` and similar operators by a copy of the input in the dimension order of
/// the output.
constexpr void emit_clone(emission& emitter) {
  const auto wanted = order_of_output(emitter);
  const auto from = order_of_operand(emitter, 0);
  if (emitter.is_refused()) return;
  if (from.rank != wanted.rank) return emitter.refuse("input and output have different numbers of dimensions");
  if (from == wanted) return emitter.finish_reshape(emitter.in(0));
  emitter.finish_transpose(emitter.operand(0), reordering(emitter.stored_type(emitter.operand(0)), from, wanted));
}

/// Replaces `aten.view_copy.out` by a reshape. The attribute `dim_orders` means that a tensor is stored in another dimension order than 0,
/// 1, 2, and so on. With this attribute, the elements keep their order in memory.
constexpr void emit_view(emission& emitter) {
  if (emitter.has_attribute("dim_orders")) return emitter.finish_reshape(emitter.operand(0));
  emit_reshape(emitter);
}

/// Returns the listed dimensions, counted from 0. A dimension that does not exist becomes `rank`.
constexpr auto dimensions_from_start(span<const std::int64_t> listed, std::size_t rank) -> vector<std::int64_t> {
  vector<std::int64_t> result;
  for (const auto axis : listed) result.push_back(static_cast<std::int64_t>(inference::dimension(axis, rank)));
  return result;
}
/// Replaces `aten.permute_copy.out` (input, permutation). The dimensions of the permutation may count from the end.
constexpr void emit_permute(emission& emitter) {
  const auto order = dimensions_from_start(emitter.list("arg_1"), emitter.file_type(emitter.operand(0)).rank);
  emitter.set_attributes({{"perm", span<const std::int64_t>{order}}});
  emit_transpose(emitter);
}
constexpr auto permuting(const layout_query& node) -> layout_rule {
  if (!node.has(0)) return layout_rule::fixed;
  if (node.is_constant(0)) return layout_rule::constant;
  const auto* const listed = node.program.find(node.record, "arg_1");
  const bool is_list = listed != nullptr && listed->kind == attribute_kind::integers;
  const auto numbers = is_list ? node.program.integer_list(listed->list) : span<const std::int64_t>{};
  const auto rank = node.shape(0).size();
  return kind_of_transpose(order_of_transpose(dimensions_from_start(numbers, rank), rank));
}
/// Returns the permutation that exchanges the dimensions `first` and `second`, or dimensions 0 and 1 if `IsMatrix` is set. Returns an empty
/// list if one of the dimensions does not exist.
template <bool IsMatrix>
constexpr auto order_of_exchange(std::int64_t first, std::int64_t second, std::size_t rank) -> vector<std::int64_t> {
  vector<std::int64_t> order;
  const auto a = inference::dimension(IsMatrix ? 0 : first, rank), b = inference::dimension(IsMatrix ? 1 : second, rank);
  if (a == rank || b == rank) return order;
  for (std::size_t d = 0; d < rank; ++d) order.push_back(static_cast<std::int64_t>(d == a ? b : d == b ? a : d));
  return order;
}
template <bool IsMatrix>
constexpr auto exchanging(const layout_query& node) -> layout_rule {
  if (!node.has(0)) return layout_rule::fixed;
  if (node.is_constant(0)) return layout_rule::constant;
  const auto argument = [&](literal_name key) { return node.program.integer(node.record, key); };
  const auto rank = node.shape(0).size();
  return kind_of_transpose(order_of_transpose(order_of_exchange<IsMatrix>(argument("arg_1"), argument("arg_2"), rank), rank));
}
/// Replaces `aten.transpose_copy.int_out`, or `aten.t_copy.out` if `IsMatrix` is set. A tensor with fewer than two dimensions is unchanged.
template <bool IsMatrix>
constexpr void emit_exchange(emission& emitter) {
  const auto rank = emitter.stored_type(emitter.operand(0)).rank;
  if (rank < 2) return emit_identity(emitter);
  const auto order = order_of_exchange<IsMatrix>(emitter.integer("arg_1"), emitter.integer("arg_2"), rank);
  if (order.empty()) return emitter.refuse("there are no dimensions ", emitter.integer("arg_1"), " and ", emitter.integer("arg_2"));
  emitter.set_attributes({{"perm", span<const std::int64_t>{order}}});
  emit_transpose(emitter);
}

/// Replaces `aten.select_copy.int_out` (input, dimension, position). The output lacks the dimension.
constexpr void emit_select(emission& emitter) {
  const auto in = emitter.operand_in_file_layout(0);
  auto part = emitter.stored_type(in);
  const auto axis = dimension_argument(emitter, "arg_1", part.rank);
  if (emitter.is_refused()) return;
  auto at = emitter.integer("arg_2");
  if (at < 0) at += part.sizes[axis];
  if (at < 0 || at >= part.sizes[axis])
    return emitter.refuse("there is no position ", emitter.integer("arg_2"), " in dimension ", emitter.integer("arg_1"));
  part.sizes[axis] = 1;
  const auto shape = emitter.output_type();
  const std::int64_t starts[] = {at}, ends[] = {at + 1}, axes[] = {static_cast<std::int64_t>(axis)};
  emitter.set_operands({in});
  emitter.begin_inner("part", part);
  emitter.set_attributes(
      {{"starts", span<const std::int64_t>{starts}}, {"ends", span<const std::int64_t>{ends}}, {"axes", span<const std::int64_t>{axes}}});
  emit_slice(emitter);
  emitter.end_inner("select", "tfl.reshape", {{"new_shape", shape.shape()}});
}
/// Replaces `aten.split_with_sizes_copy.out` (input, size of each output, dimension) and `aten.split_copy.Tensor_out` (input, common size,
/// dimension).
constexpr void emit_split_with_sizes(emission& emitter) {
  emitter.set_attributes({{"axis", emitter.integer("arg_2")}});
  emit_split(emitter);
}
/// Replaces `aten.cat.out` (inputs, dimension).
constexpr void emit_cat(emission& emitter) {
  emitter.set_attributes({{"axis", emitter.integer("arg_1")}});
  emit_concat(emitter);
}
/// Replaces `aten.copy` (destination, source). The source is broadcast to the shape of the destination.
constexpr void emit_copy(emission& emitter) {
  emitter.set_operands({emitter.operand(1)});
  emit_expand(emitter);
}
/// Finishes the replacement with a constant whose elements are all `real` for float32, or `whole` for other types.
constexpr void finish_filled(emission& emitter, double real, std::int64_t whole) {
  if (emitter.output_type().type == dtype::float32) emitter.set_attributes({{"value", real}});
  if (emitter.output_type().type != dtype::float32) emitter.set_attributes({{"value", whole}});
  emit_constant_of_shape(emitter);
}
/// Replaces `aten.full.out` and similar operators by a constant. Each element of the constant is the number in argument `Position`.
template <std::size_t Position>
constexpr void emit_full(emission& emitter) {
  constexpr literal_name keys[] = {"arg_0", "arg_1", "arg_2"};
  const auto key = keys[Position];
  if (emitter.output_type().type != dtype::float32) return finish_filled(emitter, 0, whole_argument(emitter, key));
  const auto real = emitter.real(key);  // 0 for an attribute of the kind `boolean`
  finish_filled(emitter, real == 0 ? static_cast<double>(emitter.unclamped_integer(key)) : real, 0);
}
/// Replaces `aten.zeros.out` and `aten.ones.out` by a constant whose elements are `Number`.
template <int Number>
constexpr void emit_filled(emission& emitter) {
  finish_filled(emitter, Number, Number);
}
/// Replaces `aten.arange.start_out` (start, end, step) and `aten.arange.out` (end) by a constant. The number of elements follows from the
/// shape of the output, not from the end.
template <bool HasStart>
constexpr void emit_arange(emission& emitter) {
  const auto count = computed_count(emitter);
  if (count < 0) return;
  const auto type = emitter.output_type();
  const auto start = HasStart ? emitter.real("arg_0") : 0, step = HasStart ? emitter.real("arg_2", 1) : 1;
  if (type.type == dtype::float32) {
    vector<float> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(start + static_cast<double>(i) * step));
    return emitter.forward(emitter.real_constant("range", numbers, type));
  }
  if (bytes_of_integer(type.type) == 0) return emitter.refuse("a range of ", facts(type.type).name, " is not supported");
  const auto first = HasStart ? whole_argument(emitter, "arg_0") : 0,
             each = HasStart && emitter.has_attribute("arg_2") ? whole_argument(emitter, "arg_2") : 1;
  if (static_cast<double>(first) != start || static_cast<double>(each) != step)
    return emitter.refuse("a range of integers has real numbers as arguments");
  constexpr std::int64_t max_number = 0x7fffffff;
  if (first < -max_number || first > max_number || each < -max_number || each > max_number)
    return emitter.refuse("a range of large integers is not supported");
  vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(first + i * each);
  emitter.forward(emitter.constant("range", type, view(bytes_of(numbers, type.type))));
}

/// The rows (`legalization_row`) of operators that move or create elements.
inline constexpr legalization_row executorch_moves[] = {
    {"dim_order_ops._clone_dim_order.out", fixed_if_reordered<layout_rule::same>, emit_clone},
    {"aten.clone.out", fixed_if_reordered<layout_rule::same>, emit_clone},
    {"aten.alias_copy.out", fixed_if_reordered<layout_rule::same>, emit_clone},
    {"aten.detach_copy.out", fixed_if_reordered<layout_rule::same>, emit_clone},
    {"aten.lift_fresh_copy.out", fixed_if_reordered<layout_rule::same>, emit_clone},
    {"aten.view_copy.out", fixed_if_reordered<reshaping>, emit_view},
    {"aten.unsqueeze_copy.out", fixed_if_reordered<reshaping>, in_identity_order<emit_reshape>},
    {"aten.squeeze_copy.dims_out", fixed_if_reordered<reshaping>, in_identity_order<emit_reshape>},
    {"aten.squeeze_copy.dim_out", fixed_if_reordered<reshaping>, in_identity_order<emit_reshape>},
    {"aten.permute_copy.out", fixed_if_reordered<permuting>, in_identity_order<emit_permute>},
    {"aten.t_copy.out", fixed_if_reordered<exchanging<true>>, in_identity_order<emit_exchange<true>>},
    {"aten.transpose_copy.int_out", fixed_if_reordered<exchanging<false>>, in_identity_order<emit_exchange<false>>},
    {"aten.expand_copy.out", layout_rule::fixed, in_identity_order<emit_expand>},
    {"aten.select_copy.int_out", layout_rule::fixed, in_identity_order<emit_select>},
    {"aten.split_with_sizes_copy.out", fixed_if_reordered<along_axis>, in_identity_order<emit_split_with_sizes>, 1, 255},
    {"aten.cat.out", fixed_if_reordered<along_axis>, in_identity_order<emit_cat>},
    {"aten.copy", layout_rule::fixed, in_identity_order<emit_copy>, 2},
    {"aten.copy.out", layout_rule::fixed, in_identity_order<emit_copy>, 2},
    {"aten.full.out", layout_rule::constant, emit_full<1>, 0},
    {"aten.full_like.out", layout_rule::constant, emit_full<1>, 0},
    {"aten.fill.Scalar_out", layout_rule::constant, emit_full<1>, 0},
    {"aten.scalar_tensor.out", layout_rule::constant, emit_full<0>, 0},
    {"aten.zeros.out", layout_rule::constant, emit_filled<0>, 0},
    {"aten.ones.out", layout_rule::constant, emit_filled<1>, 0},
    {"aten.arange.out", layout_rule::constant, emit_arange<false>, 0},
    {"aten.arange.start_out", layout_rule::constant, emit_arange<true>, 0},
};

}  // namespace baton::detail
