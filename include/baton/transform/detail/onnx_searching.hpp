// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that search, sort, count or accumulate along one dimension.
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

/// Returns the dimension of operand 0 that the attribute `axis` names, or the rank and a refusal if there is none.
constexpr auto named_dimension(emission& to, std::int64_t absent) -> std::size_t {
  const auto rank = to.stored_type(to.operand(0)).rank;
  const auto axis = inference::dimension(to.integer("axis", absent), rank);
  if (axis == rank) to.refuse("there is no dimension ", to.integer("axis", absent));
  return axis;
}

/// The manner of a search along one dimension, which disappears unless `keepdims` is set.
constexpr auto searching(const layout_query& node) -> manner {
  if (!node.has(0) || node.is_constant(0) || node.is_row(0)) return manner::fixed;
  const auto rank = node.shape(0).size();
  dimension_set gone{true, 0};
  gone.add(node.program.integer(node.record, "axis"), rank);
  return manner_of_reduction(rank, gone, node.program.integer(node.record, "keepdims", 1) != 0);
}
/// `onnx.ArgMax` and `onnx.ArgMin`: the first position of the largest or smallest element, or the last one if `select_last_index` is set.
template <fixed_string Op>
constexpr void emit_search(emission& to) {
  const auto axis = named_dimension(to, 0);
  if (to.is_refused()) return;
  const dimension_set gone{true, 1u << axis};
  const bool keeps = to.integer("keepdims", 1) != 0, is_last = to.integer("select_last_index") != 0;
  auto in = reduced_operand(to, gone, keeps);
  const auto type = to.stored_type(in);
  const auto at = stored_dimensions(to, gone, in);
  const auto stored = to.stored_dimension(in, axis);
  if (is_last) in = to.add("reversed", "tfl.reverse_v2", {in, at}, type, {}, to.layout(in));
  if (!keeps && !is_last) return to.finish(Op, {in, at}, {{"output_type", "int64"}});
  const auto shape = to.output_type();
  auto removed = type;
  removed.type = shape.type;
  --removed.rank;
  for (auto d = stored; d < removed.rank; ++d) removed.sizes[d] = removed.sizes[d + 1];
  const auto found = to.add("found", Op, {in, at}, removed, {{"output_type", "int64"}});
  if (!is_last) return to.finish("tfl.reshape", {found}, {{"new_shape", shape.shape()}});
  const std::int64_t last[] = {type.sizes[stored] - 1};
  const auto end = to.constant("last", tensor(dtype::int64), view(bytes_of(last, dtype::int64)));
  expression f(to);
  f.finish("tfl.sub", end, keeps ? f.call("kept", "tfl.reshape", {found}, {{"new_shape", shape.shape()}}) : found);
}

/// `onnx.CumSum`.
constexpr void emit_cumulative_sum(emission& to) {
  const auto at = to.integers(1);
  if (!at.are_known || at.count != 1) return to.refuse("the axis is not a constant");
  const auto in = to.in_file(0);
  const auto rank = to.stored_type(in).rank;
  const auto axis = inference::dimension(at[0], rank);
  if (axis == rank) return to.refuse("there is no dimension ", at[0]);
  const std::int64_t stored[] = {static_cast<std::int64_t>(axis)};
  to.finish("tfl.cumsum", {in, to.integer_constant("axis", stored)},
            {{"exclusive", to.integer("exclusive") != 0}, {"reverse", to.integer("reverse") != 0}});
}

/// Inserts a transpose that exchanges a dimension with the last one. Returns the value itself if nothing changes.
constexpr auto exchanged_with_last(emission& to, std::string_view suffix, value_id in, std::size_t axis) -> value_id {
  auto type = to.stored_type(in);
  if (axis + 1 == type.rank) return in;
  std::swap(type.sizes[axis], type.sizes[type.rank - 1]);
  return to.add(suffix, "tfl.transpose", {in, order_with_last(to, axis, type.rank)}, type);
}
/// `onnx.TopK`: the largest elements of the last dimension in descending order, or the smallest elements in ascending order, computed from
/// the negated operand. Other dimensions are exchanged with the last one.
constexpr void emit_topk(emission& to) {
  const auto axis = named_dimension(to, -1);
  if (to.is_refused()) return;
  const bool is_largest = to.integer("largest", 1) != 0;
  auto in = to.in_file(0);
  const auto rank = to.stored_type(in).rank;
  const auto k = to.output_type().sizes[axis];
  if (to.output_count() < 2) return to.refuse("an output is missing");
  in = exchanged_with_last(to, "rows", in, axis);
  auto type = to.stored_type(in);
  expression whole(to, type, {});
  if (!is_largest) in = whole.sub("negative", whole.whole("zero", 0), in);
  type.sizes[rank - 1] = k;
  const std::int64_t numbers[] = {k};
  const auto count = to.constant("k", tensor(dtype::int32), view(bytes_of(numbers, dtype::int32)));
  auto places = type;
  places.type = dtype::int32;
  const auto found = to.add_two("found", "tfl.topk_v2", {in, count}, type, places);
  auto largest = found[0];
  if (!is_largest) {
    expression f(to, type, {});
    largest = f.sub("smallest", f.whole("zero_again", 0), largest);
  }
  to.finish_output(0, "tfl.reshape", {exchanged_with_last(to, "values", largest, axis)}, {{"new_shape", to.output_type().shape()}});
  to.finish_output(1, "tfl.cast", {exchanged_with_last(to, "places", found[1], axis)});
}

/// `onnx.OneHot`: negative positions count from the end; a position outside of the depth yields only off values.
constexpr void emit_one_hot(emission& to) {
  const auto type = to.output_type();
  const auto axis = inference::dimension(to.integer("axis", -1), type.rank);
  if (axis == type.rank) return to.refuse("there is no dimension ", to.integer("axis", -1));
  const auto depth = type.sizes[axis];
  auto positions = to.in_file(0);
  auto of = to.stored_type(positions);
  if (of.type != dtype::int32 && of.type != dtype::int64) {
    of.type = dtype::int32;
    positions = to.add("whole", "tfl.cast", {positions}, of);
  }
  expression f(to, of, {});
  const auto is_negative = f.of(dtype::boolean).call("is_negative", "tfl.less", {positions, f.whole("zero", 0)});
  const auto from_end = f.add("from_end", positions, f.whole("size", depth));
  positions = f.call("positions", "tfl.select_v2", {is_negative, from_end, positions});
  const std::int64_t numbers[] = {depth}, zero[] = {0}, one[] = {1};
  const auto element = tensor(type.type, 1);
  const auto size = to.integer_constant("one", one);
  const auto off = to.add("off", "tfl.slice", {to.in_file(2), to.integer_constant("first", zero), size}, element);
  const auto on = to.add("on", "tfl.slice", {to.in_file(2), to.integer_constant("second", one), size}, element);
  const auto scalar = to.constant("depth", tensor(dtype::int32), view(bytes_of(numbers, dtype::int32)));
  to.finish("tfl.one_hot", {positions, scalar, on, off}, {{"axis", axis}});
}
/// `onnx.Hardmax`: 1 at the first largest element along a dimension, else 0.
constexpr void emit_hardmax(emission& to) {
  const auto rank = to.stored_type(to.operand(0)).rank;
  const auto opset = to.integer("opset", 13);
  const auto axis = inference::dimension(to.integer("axis", default_softmax_axis(opset)), rank);
  const bool is_last = axis + 1 == rank;
  if (axis == rank || (!is_last && opset < 13)) return to.refuse("the dimensions after the axis are not 1");
  const auto in = to.in_file(0);
  auto places = to.stored_type(in);
  const std::int64_t depth[] = {places.sizes[axis]}, stored[] = {static_cast<std::int64_t>(axis)};
  places.type = dtype::int32;
  --places.rank;
  for (auto d = axis; d < places.rank; ++d) places.sizes[d] = places.sizes[d + 1];
  const auto found = to.add("place", "tfl.arg_max", {in, to.integer_constant("axis", stored)}, places, {{"output_type", "int32"}});
  expression f(to);
  const auto count = to.constant("depth", tensor(dtype::int32), view(bytes_of(depth, dtype::int32)));
  to.finish("tfl.one_hot", {found, count, f.whole("one", 1), f.whole("zero", 0)}, {{"axis", axis}});
}

/// Operators along one dimension.
inline constexpr legalization_row onnx_searching[] = {
    {"onnx.ArgMax", searching, emit_search<"tfl.arg_max">}, {"onnx.ArgMin", searching, emit_search<"tfl.arg_min">},
    {"onnx.CumSum", manner::fixed, emit_cumulative_sum, 2}, {"onnx.TopK", manner::fixed, emit_topk, 2, 2},
    {"onnx.OneHot", manner::fixed, emit_one_hot, 3},        {"onnx.Hardmax", manner::fixed, emit_hardmax},
};

}  // namespace baton::detail
