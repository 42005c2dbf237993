// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that search, sort or accumulate along one dimension, or that add a dimension (`onnx.OneHot`).
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_reductions.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// Returns the dimension of operand 0 that the attribute `axis` names, by default `absent`. If there is no such dimension, refuses the node
/// (the pass then fails with `unsupported_operator`) and returns the rank.
constexpr auto named_dimension(emission& emitter, std::int64_t absent) -> std::size_t {
  const auto rank = emitter.stored_type(emitter.operand(0)).rank;
  const auto axis = inference::dimension(emitter.integer("axis", absent), rank);
  if (axis == rank) emitter.refuse("there is no dimension ", emitter.integer("axis", absent));
  return axis;
}

/// Returns the layout rule of a search along one dimension. The output lacks this dimension unless `keepdims` is set.
constexpr auto searching(const layout_query& node) -> layout_rule {
  if (!node.has(0) || node.is_constant(0) || node.is_row(0)) return layout_rule::fixed;
  const auto rank = node.shape(0).size();
  dimension_set removed{true, 0};
  removed.add(node.program.integer(node.record, "axis"), rank);
  return reduction_layout_rule(rank, removed, node.program.integer(node.record, "keepdims", 1) != 0);
}
/// Replaces `onnx.ArgMax` and `onnx.ArgMin`. If several elements are largest or smallest, the result is the first position, or the last
/// position if `select_last_index` is set.
template <fixed_string Op>
constexpr void emit_search(emission& emitter) {
  const auto axis = named_dimension(emitter, 0);
  if (emitter.is_refused()) return;
  const dimension_set axes{true, 1u << axis};
  const bool keeps = emitter.integer("keepdims", 1) != 0, is_last = emitter.integer("select_last_index") != 0;
  auto in = reduced_operand(emitter, axes, keeps);
  const auto type = emitter.stored_type(in);
  const auto at = stored_dimensions(emitter, axes, in);
  const auto stored = emitter.stored_dimension(in, axis);
  if (is_last) in = emitter.add("reversed", "tfl.reverse_v2", {in, at}, type, {}, emitter.layout(in));
  if (!keeps && !is_last) return emitter.finish(Op, {in, at}, {{"output_type", "int64"}});
  const auto shape = emitter.output_type();
  auto positions_type = type;
  positions_type.type = shape.type;
  --positions_type.rank;
  for (auto d = stored; d < positions_type.rank; ++d) positions_type.sizes[d] = positions_type.sizes[d + 1];
  const auto positions = emitter.add("found", Op, {in, at}, positions_type, {{"output_type", "int64"}});
  if (!is_last) return emitter.finish("tfl.reshape", {positions}, {{"new_shape", shape.shape()}});
  const std::int64_t last[] = {type.sizes[stored] - 1};
  const auto end = emitter.constant("last", tensor(dtype::int64), view(bytes_of(last, dtype::int64)));
  expression f(emitter);
  f.finish("tfl.sub", end, keeps ? f.call("kept", "tfl.reshape", {positions}, {{"new_shape", shape.shape()}}) : positions);
}

/// Replaces `onnx.CumSum`.
constexpr void emit_cumulative_sum(emission& emitter) {
  const auto at = emitter.integers(1);
  if (!at.are_known || at.count != 1) return emitter.refuse("the axis is not a constant");
  const auto in = emitter.operand_in_file_layout(0);
  const auto rank = emitter.stored_type(in).rank;
  const auto axis = inference::dimension(at[0], rank);
  if (axis == rank) return emitter.refuse("there is no dimension ", at[0]);
  const std::int64_t stored[] = {static_cast<std::int64_t>(axis)};
  emitter.finish("tfl.cumsum", {in, emitter.integer_constant("axis", stored)},
                 {{"exclusive", emitter.integer("exclusive") != 0}, {"reverse", emitter.integer("reverse") != 0}});
}

/// Inserts a transpose that exchanges dimension `axis` of `in` with the last dimension, and returns the output of the transpose. Returns
/// `in` if `axis` is the last dimension.
constexpr auto exchanged_with_last(emission& emitter, std::string_view suffix, value_id in, std::size_t axis) -> value_id {
  auto type = emitter.stored_type(in);
  if (axis + 1 == type.rank) return in;
  std::swap(type.sizes[axis], type.sizes[type.rank - 1]);
  return emitter.add(suffix, "tfl.transpose", {in, swap_with_last_order(emitter, axis, type.rank)}, type);
}
/// Replaces `onnx.TopK`, whose output 0 is the largest elements in descending order, or the smallest elements in ascending order. The
/// smallest elements are computed as the largest elements of -x, where x is the operand. For int32 and int64, -1 - x is used instead,
/// because -x may overflow. If `axis` is not the last dimension, transposes before and after the search exchange `axis` with the last
/// dimension.
constexpr void emit_topk(emission& emitter) {
  const auto axis = named_dimension(emitter, -1);
  if (emitter.is_refused()) return;
  const bool is_largest = emitter.integer("largest", 1) != 0;
  auto in = emitter.operand_in_file_layout(0);
  const auto rank = emitter.stored_type(in).rank;
  const auto k = emitter.output_type().sizes[axis];
  if (emitter.output_count() < 2) return emitter.refuse("an output is missing");
  in = exchanged_with_last(emitter, "rows", in, axis);
  auto type = emitter.stored_type(in);
  const bool is_integer = bytes_of_integer(type.type) != 0;
  const auto minuend = is_integer && !is_largest ? expression(emitter, type, {}).whole("minus_one", -1) : none<value_id>;
  const auto mirrored = [&](std::string_view suffix, value_id x) {
    expression f(emitter, emitter.stored_type(x), {});
    return is_integer ? f.sub(suffix, minuend, x) : f.call(suffix, "tfl.neg", {x});
  };
  if (!is_largest) in = mirrored("negative", in);
  type.sizes[rank - 1] = k;
  const std::int64_t numbers[] = {k};
  const auto count = emitter.constant("k", tensor(dtype::int32), view(bytes_of(numbers, dtype::int32)));
  auto places = type;
  places.type = dtype::int32;
  const auto sorted = emitter.add_two("found", "tfl.topk_v2", {in, count}, type, places);
  const auto values = is_largest ? sorted[0] : mirrored("smallest", sorted[0]);
  emitter.finish_output(0, "tfl.reshape", {exchanged_with_last(emitter, "values", values, axis)},
                        {{"new_shape", emitter.output_type().shape()}});
  emitter.finish_output(1, "tfl.cast", {exchanged_with_last(emitter, "places", sorted[1], axis)});
}

/// Replaces `onnx.OneHot`. Operand 2 has two numbers: the off value and the on value. Negative positions count from the end. A position
/// outside the new dimension yields only off values.
constexpr void emit_one_hot(emission& emitter) {
  const auto type = emitter.output_type();
  const auto axis = inference::dimension(emitter.integer("axis", -1), type.rank);
  if (axis == type.rank) return emitter.refuse("there is no dimension ", emitter.integer("axis", -1));
  const auto depth = type.sizes[axis];
  auto positions = emitter.operand_in_file_layout(0);
  auto of = emitter.stored_type(positions);
  if (of.type != dtype::int32 && of.type != dtype::int64) {
    of.type = dtype::int32;
    positions = emitter.add("whole", "tfl.cast", {positions}, of);
  }
  expression f(emitter, of, {});
  const auto is_negative = f.of(dtype::boolean).call("is_negative", "tfl.less", {positions, f.whole("zero", 0)});
  const auto from_end = f.add("from_end", positions, f.whole("size", depth));
  positions = f.call("positions", "tfl.select_v2", {is_negative, from_end, positions});
  const std::int64_t numbers[] = {depth}, zero[] = {0}, one[] = {1};
  const auto element = tensor(type.type, 1);
  const auto size = emitter.integer_constant("one", one);
  const auto off =
      emitter.add("off", "tfl.slice", {emitter.operand_in_file_layout(2), emitter.integer_constant("first", zero), size}, element);
  const auto on =
      emitter.add("on", "tfl.slice", {emitter.operand_in_file_layout(2), emitter.integer_constant("second", one), size}, element);
  const auto scalar = emitter.constant("depth", tensor(dtype::int32), view(bytes_of(numbers, dtype::int32)));
  emitter.finish("tfl.one_hot", {positions, scalar, on, off}, {{"axis", axis}});
}
/// Replaces `onnx.Hardmax`. The result is 1 at the first largest element along the dimension, else 0.
constexpr void emit_hardmax(emission& emitter) {
  const auto rank = emitter.stored_type(emitter.operand(0)).rank;
  const auto opset = emitter.integer("opset", 13);
  const auto axis = inference::dimension(emitter.integer("axis", default_softmax_axis(opset)), rank);
  const bool is_last = axis + 1 == rank;
  if (axis == rank) return emitter.refuse("there is no dimension ", emitter.integer("axis", default_softmax_axis(opset)));
  if (!is_last && opset < 13) return emitter.refuse("the axis is not the last dimension (other dimensions need operator set 13)");
  const auto in = emitter.operand_in_file_layout(0);
  auto places = emitter.stored_type(in);
  const std::int64_t depth[] = {places.sizes[axis]}, stored[] = {static_cast<std::int64_t>(axis)};
  places.type = dtype::int32;
  --places.rank;
  for (auto d = axis; d < places.rank; ++d) places.sizes[d] = places.sizes[d + 1];
  const auto position =
      emitter.add("place", "tfl.arg_max", {in, emitter.integer_constant("axis", stored)}, places, {{"output_type", "int32"}});
  expression f(emitter);
  const auto count = emitter.constant("depth", tensor(dtype::int32), view(bytes_of(depth, dtype::int32)));
  emitter.finish("tfl.one_hot", {position, count, f.whole("one", 1), f.whole("zero", 0)}, {{"axis", axis}});
}

/// The rows (`legalization_row`) of operators that search, sort, accumulate, or encode positions as one-hot vectors.
inline constexpr legalization_row onnx_searching[] = {
    {"onnx.ArgMax", searching, emit_search<"tfl.arg_max">},      {"onnx.ArgMin", searching, emit_search<"tfl.arg_min">},
    {"onnx.CumSum", layout_rule::fixed, emit_cumulative_sum, 2}, {"onnx.TopK", layout_rule::fixed, emit_topk, 2, 2},
    {"onnx.OneHot", layout_rule::fixed, emit_one_hot, 3},        {"onnx.Hardmax", layout_rule::fixed, emit_hardmax},
};

}  // namespace baton::detail
