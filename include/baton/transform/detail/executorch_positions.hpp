// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's operators that read or write elements at positions (indices along a dimension), or that search or accumulate along
// a dimension. Comments list the arguments of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_slicing.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_gathering.hpp>
#include <baton/transform/detail/onnx_reductions.hpp>
#include <baton/transform/detail/onnx_searching.hpp>
#include <baton/transform/detail/written_slices.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

// Positions

/// Replaces `aten.embedding.out` (weights, positions of rows).
constexpr void emit_embedding(emission& emitter) {
  emitter.set_attributes({{"axis", 0}});
  emit_gather(emitter);
}
/// Replaces `aten.index_select.out` (input, dimension, positions).
constexpr void emit_index_select(emission& emitter) {
  if (emitter.stored_type(emitter.operand(0)).rank == 0) return emitter.refuse("the input has no dimension");
  emitter.set_attributes({{"axis", emitter.integer("arg_1")}});
  emit_gather(emitter);
}
/// Replaces `aten.index.Tensor_out` (input, positions or `None` for each dimension). Only one dimension may have positions.
constexpr void emit_index(emission& emitter) {
  std::size_t axis = 0, count = 0;
  for (std::size_t i = 1; i < emitter.operand_count(); ++i) {
    if (!emitter.has(i)) continue;
    axis = i - 1;
    ++count;
  }
  if (count != 1) return emitter.refuse("positions must be given for one dimension, not for ", count);
  if (emitter.record(emitter.operand(axis + 1)).type == dtype::boolean) return emitter.refuse("a mask of positions is not supported");
  emitter.set_operands({emitter.operand(0), emitter.operand(axis + 1)});
  emitter.set_attributes({{"axis", axis}});
  emit_gather(emitter);
}
/// Finishes the replacement with a copy of operand 0 in which `values` replace the slice at one position along dimension `axis`. Operand
/// `at` is this position.
constexpr void finish_put_slice(emission& emitter, std::size_t axis, std::size_t at, value_id values) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto position = counted_from_start(emitter, at, {&type.sizes[axis], 1});
  if (emitter.is_refused()) return;
  const auto one = tensor(dtype::int32, 1);
  const auto shaped = tensor(emitter.record(position).type, 1);
  auto number = emitter.add("position", "tfl.reshape", {position}, shaped, {{"new_shape", shaped.shape()}});
  if (shaped.type != one.type) number = emitter.add("whole_position", "tfl.cast", {number}, one);
  const std::array<std::int64_t, tensor_type::max_rank> zeros{};
  vector<value_id> parts;
  if (axis != 0) parts.push_back(emitter.integer_constant("before", {zeros.data(), axis}));
  parts.push_back(number);
  if (axis + 1 != type.rank) parts.push_back(emitter.integer_constant("after", {zeros.data(), type.rank - axis - 1}));
  const named_literal literals[] = {{"axis", 0}, {"fused_activation_function", "none"}};
  auto begin = number;
  if (parts.size() > 1)
    begin = emitter.add("begin", "tfl.concatenation", parts, tensor(dtype::int32, static_cast<std::int64_t>(type.rank)), literals);
  emitter.finish("tfl.dynamic_update_slice", {emitter.operand_in_file_layout(0), values, begin});
}
/// Replaces `aten.index_put.out` and the in-place operator `aten.index_put` (input, positions or `None` for each dimension, elements,
/// whether the elements are added). Only one dimension may have positions.
constexpr void emit_index_put(emission& emitter) {
  const auto lists = emitter.list("list_sizes");
  const auto count = lists.empty() ? static_cast<std::int64_t>(emitter.operand_count()) - 2 : lists[0];
  const auto type = emitter.file_type(emitter.operand(0));
  const auto last = static_cast<std::size_t>(count < 1 || count > static_cast<std::int64_t>(type.rank) ? 0 : count) + 1;
  if (last < 2) return emitter.refuse("there are ", count, " lists of positions for ", type.rank, " dimensions");
  if (!emitter.has(last)) return emitter.refuse("the elements are missing");
  std::size_t at = 0;
  for (std::size_t i = 1; i < last; ++i) {
    if (emitter.has(i) && at != 0) return emitter.refuse("positions along several dimensions are not supported");
    if (emitter.has(i)) at = i;
  }
  if (at == 0 || emitter.record(emitter.operand(at)).type == dtype::boolean)
    return emitter.refuse("the positions are missing, or are a mask");
  const auto number = element_count(emitter.file_type(emitter.operand(at)).shape());
  const bool adds = emitter.integer("arg_3") != 0;
  auto part = type;
  part.sizes[at - 1] = 1;
  const bool is_same_type = emitter.record(emitter.operand(last)).type == type.type;
  if (number == 1 && !adds && is_same_type &&
      element_count(part.shape()) == element_count(emitter.file_type(emitter.operand(last)).shape())) {
    const auto values = emitter.add("values", "tfl.reshape", {emitter.operand_in_file_layout(last)}, part, {{"new_shape", part.shape()}});
    return finish_put_slice(emitter, at - 1, at, values);
  }
  written_slices(emitter, at - 1).write(emitter.operand_in_file_layout(at), emitter.operand_in_file_layout(last), adds);
}
/// Replaces `aten.gather.out` (input, dimension, positions).
constexpr void emit_gather_along(emission& emitter) {
  emitter.set_attributes({{"axis", emitter.integer("arg_1")}});
  emit_gather_elements(emitter);
}
/// Replaces `aten.scatter.src_out` and `aten.scatter_add.out` (input, dimension, positions, elements).
template <bool Adds>
constexpr void emit_scatter_along(emission& emitter) {
  const auto positions = emitter.file_type(emitter.operand(1)), elements = emitter.file_type(emitter.operand(2));
  if (!same(positions.shape(), elements.shape())) return emitter.refuse("positions and elements have different shapes");
  emitter.set_attributes({{"axis", emitter.integer("arg_1")}, {"reduction", Adds ? "add" : "none"}});
  emit_scatter_elements(emitter);
}

/// For each dimension, the positions that are read. An empty list means all positions of the dimension.
using positions_of_dimensions = std::array<vector<std::int64_t>, tensor_type::max_rank>;

/// Finishes the replacement with the elements of operand 0 at `positions`. Inserts a gather for each dimension with a list of positions.
constexpr void finish_selected(emission& emitter, const positions_of_dimensions& positions) {
  auto in = emitter.operand_in_file_layout(0);
  auto type = emitter.stored_type(in);
  for (std::size_t d = 0; d < type.rank; ++d) {
    if (positions[d].empty()) continue;
    type.sizes[d] = static_cast<std::int64_t>(positions[d].size());
    const auto list = emitter.integer_constant(view(join("positions_", d)), positions[d]);
    const auto selected = emitter.add(view(join("selected_", d)), "tfl.gather", {in, list}, type, {{"axis", d}, {"batch_dims", 0}});
    emitter.copy_quantization(in, selected);
    in = selected;
  }
  emitter.finish_reshape(in);
}
/// Replaces `aten.replication_pad2d.out` and similar operators (input, paddings). The paddings are the numbers of elements before and after
/// each dimension, last dimension first. The padding repeats the elements at the borders.
constexpr void emit_replication_pad(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto list = emitter.list("arg_1");
  positions_of_dimensions positions;
  if (list.size() % 2 != 0 || list.size() / 2 > type.rank) {
    return emitter.refuse("the padding has ", list.size(), " numbers, but the count must be even and at most ", 2 * type.rank);
  }
  for (std::size_t i = 0; i < list.size() / 2; ++i) {
    const auto d = type.rank - 1 - i;
    const auto before = emitter.entry("arg_1", 2 * i, 0), size = type.sizes[d] + before + emitter.entry("arg_1", 2 * i + 1, 0);
    if (size <= 0 || size > max_positions) return emitter.refuse("dimension ", d, " has ", size, " elements after padding");
    for (std::int64_t at = 0; at < size; ++at) positions[d].push_back(std::clamp<std::int64_t>(at - before, 0, type.sizes[d] - 1));
  }
  finish_selected(emitter, positions);
}
/// Replaces `aten.roll.out` (input, distances, dimensions). Elements that leave a dimension at its end enter the dimension at its start.
constexpr void emit_roll(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto distances = emitter.list("arg_1"), axes = emitter.list("arg_2");
  positions_of_dimensions positions;
  if (axes.empty() || distances.size() != axes.size())
    return emitter.refuse("distances and dimensions must be lists of the same length, with at least one number");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto d = inference::dimension(axes[i], type.rank);
    if (d == type.rank) return emitter.refuse("there is no dimension ", axes[i]);
    if (type.sizes[d] > max_positions)
      return emitter.refuse("dimension ", d, " has ", type.sizes[d], " elements; the maximum is ", max_positions);
    if (!positions[d].empty()) return emitter.refuse("dimension ", d, " is listed twice");
    for (std::int64_t at = 0; at < type.sizes[d]; ++at) {
      const auto from = (at - emitter.entry("arg_1", i, 0)) % type.sizes[d];
      positions[d].push_back(from < 0 ? from + type.sizes[d] : from);
    }
  }
  finish_selected(emitter, positions);
}

// Searches

/// Replaces `aten.argmax.out` and `aten.argmin.out` (input, dimension, whether the dimension is kept). Without a dimension, the result is
/// the position in the flattened input.
template <fixed_string Op>
constexpr void emit_aten_search(emission& emitter) {
  if (emitter.has_attribute("arg_1")) {
    emitter.set_attributes({{"axis", emitter.integer("arg_1")}, {"keepdims", emitter.integer("arg_2")}});
    return emit_search<Op>(emitter);
  }
  const auto all = flattened(emitter, "elements", emitter.operand_in_file_layout(0));
  const auto out = emitter.output_type();
  emitter.set_operands({all});
  emitter.set_attributes({{"axis", 0}, {"keepdims", 0}});
  if (out.rank == 0) return emit_search<Op>(emitter);
  emitter.begin_inner("position", tensor(out.type));
  emit_search<Op>(emitter);
  emitter.end_inner("shape", "tfl.reshape", {{"new_shape", out.shape()}});
}
/// Replaces `aten.max.dim_max` and `aten.min.dim_min` (input, dimension, whether the dimension is kept). The outputs are the largest or
/// smallest elements and their positions.
template <fixed_string Value, fixed_string Position>
constexpr void emit_extreme(emission& emitter) {
  const auto in = emitter.operand_in_file_layout(0);
  const auto axis = dimension_argument(emitter, "arg_1", emitter.stored_type(in).rank);
  if (emitter.is_refused()) return;
  if (emitter.output_count() < 2) return emitter.refuse("an output is missing");
  const std::int64_t axes[] = {static_cast<std::int64_t>(axis)};
  const auto list = emitter.integer_constant("axes", axes);
  const bool is_kept = emitter.integer("arg_2") != 0;
  emitter.finish_output(0, Value, {in, list}, {{"keep_dims", is_kept}});
  if (!emitter.is_used(1)) return;
  auto removed = emitter.stored_type(in);
  removed.type = dtype::int64;
  --removed.rank;
  for (auto d = axis; d < removed.rank; ++d) removed.sizes[d] = removed.sizes[d + 1];
  if (!is_kept) return emitter.finish_output(1, Position, {in, list}, {{"output_type", "int64"}});
  const auto positions = emitter.add("found", Position, {in, list}, removed, {{"output_type", "int64"}});
  const auto shape = emitter.stored_type(emitter.output(1));
  emitter.finish_output(1, "tfl.reshape", {positions}, {{"new_shape", shape.shape()}});
}
/// Replaces `aten.topk.values` (input, number of elements, dimension, whether to return the largest elements instead of the smallest). The
/// returned elements are always sorted.
constexpr void emit_aten_topk(emission& emitter) {
  emitter.set_attributes({{"axis", emitter.integer("arg_2", -1)}, {"largest", emitter.integer("arg_3", 1)}});
  emit_topk(emitter);
}
/// Replaces `aten.cumsum.out` (input, dimension). The sums are computed in the type of the output.
constexpr void emit_aten_cumulative_sum(emission& emitter) {
  auto in = emitter.operand_in_file_layout(0);
  const auto type = emitter.stored_type(in);
  if (type.type != emitter.output_type().type) in = emitter.add("summands", "tfl.cast", {in}, emitter.output_type());
  if (type.rank == 0) return emitter.finish_reshape(in);
  const std::int64_t axis[] = {static_cast<std::int64_t>(dimension_argument(emitter, "arg_1", type.rank))};
  if (emitter.is_refused()) return;
  emitter.finish("tfl.cumsum", {in, emitter.integer_constant("axis", axis)}, {{"exclusive", false}, {"reverse", false}});
}

/// The rows (`legalization_row`) of operators that access positions, search or accumulate.
inline constexpr legalization_row executorch_positions[] = {
    {"aten.embedding.out", layout_rule::fixed, in_identity_order<emit_embedding>, 2},
    {"aten.index_select.out", layout_rule::fixed, in_identity_order<emit_index_select>, 2},
    {"aten.index.Tensor_out", layout_rule::fixed, in_identity_order<emit_index>},
    {"aten.index_put.out", layout_rule::fixed, in_identity_order<emit_index_put>},
    {"aten.index_put", layout_rule::fixed, in_identity_order<emit_index_put>},
    {"aten.gather.out", layout_rule::fixed, in_identity_order<emit_gather_along>, 2},
    {"aten.scatter.src_out", layout_rule::fixed, in_identity_order<emit_scatter_along<false>>, 3},
    {"aten.scatter_add.out", layout_rule::fixed, in_identity_order<emit_scatter_along<true>>, 3},
    {"aten.replication_pad1d.out", layout_rule::fixed, in_identity_order<emit_replication_pad>},
    {"aten.replication_pad2d.out", layout_rule::fixed, in_identity_order<emit_replication_pad>},
    {"aten.replication_pad3d.out", layout_rule::fixed, in_identity_order<emit_replication_pad>},
    {"aten.roll.out", layout_rule::fixed, in_identity_order<emit_roll>},
    {"aten.argmax.out", layout_rule::fixed, in_identity_order<emit_aten_search<"tfl.arg_max">>},
    {"aten.argmin.out", layout_rule::fixed, in_identity_order<emit_aten_search<"tfl.arg_min">>},
    {"aten.max.dim_max", layout_rule::fixed, in_identity_order<emit_extreme<"tfl.reduce_max", "tfl.arg_max">>, 1, 2},
    {"aten.min.dim_min", layout_rule::fixed, in_identity_order<emit_extreme<"tfl.reduce_min", "tfl.arg_min">>, 1, 2},
    {"aten.topk.values", layout_rule::fixed, in_identity_order<emit_aten_topk>, 1, 2},
    {"aten.cumsum.out", layout_rule::fixed, in_identity_order<emit_aten_cumulative_sum>},
};

}  // namespace baton::detail
