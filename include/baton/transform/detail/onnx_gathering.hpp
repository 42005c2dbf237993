// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that read or write elements at given positions (indices along one or more dimensions).
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// The maximum number of positions for which constants are computed.
inline constexpr std::int64_t max_positions = 1 << 14;

/// Returns the positions in operand `at`, counted from 0. Negative positions of the operand count from the end. Element n of the operand is
/// a position in a dimension of size `limits[n % limits.size()]`. For constant positions, returns a constant. For computed positions,
/// inserts a `tfl.floor_mod`.
constexpr auto counted_from_start(emission& emitter, std::size_t at, span<const std::int64_t> limits) -> value_id {
  const auto type = emitter.file_type(emitter.operand(at));
  if (type.type != dtype::int32 && type.type != dtype::int64)
    return emitter.refuse("positions are not int32 or int64"), emitter.operand(at);
  for (const auto limit : limits) {
    if (limit <= 0) return emitter.refuse("a dimension is empty, or its size is not known"), emitter.operand(at);
  }
  const auto known = emitter.integers(at);
  if (!known.are_known) {
    const auto shape = limits.size() == 1 ? tensor(type.type) : tensor(type.type, static_cast<std::int64_t>(limits.size()));
    const auto sizes = emitter.constant("limits", shape, view(bytes_of(limits, type.type)));
    return expression(emitter, type, {}).call("positions", "tfl.floor_mod", {emitter.operand_in_file_layout(at), sizes});
  }
  bool has_negative = false;
  vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < known.count; ++i) {
    const auto limit = limits[i % limits.size()];
    if (known[i] < -limit || known[i] >= limit)
      return emitter.refuse("position ", known[i], " is not inside a dimension of size ", limit), emitter.operand(at);
    has_negative = has_negative || known[i] < 0;
    numbers.push_back(known[i] < 0 ? known[i] + limit : known[i]);
  }
  return has_negative ? emitter.constant("positions", type, view(bytes_of(numbers, type.type))) : emitter.operand(at);
}

/// Replaces `onnx.Gather`, which reads slices along one dimension.
constexpr void emit_gather(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto axis = inference::dimension(emitter.integer("axis"), type.rank);
  if (axis == type.rank) return emitter.refuse("there is no dimension ", emitter.integer("axis"));
  const auto positions = counted_from_start(emitter, 1, {&type.sizes[axis], 1});
  if (emitter.is_refused()) return;
  const auto in = emitter.operand_in_file_layout(0);
  emitter.copy_quantization(in, emitter.output());
  emitter.finish("tfl.gather", {in, positions}, {{"axis", axis}, {"batch_dims", 0}});
}
/// Replaces `onnx.GatherND`, which reads slices. A position has one number for each indexed dimension.
constexpr void emit_gather_nd(emission& emitter) {
  if (emitter.integer("batch_dims") != 0) return emitter.refuse("batch_dims other than 0 are not supported");
  const auto type = emitter.file_type(emitter.operand(0)), where = emitter.file_type(emitter.operand(1));
  const auto numbers = where.rank == 0 ? -1 : where.sizes[where.rank - 1];
  if (numbers <= 0 || numbers > static_cast<std::int64_t>(type.rank))
    return emitter.refuse("each position has ", numbers, " numbers for a tensor of ", type.rank, " dimensions");
  const auto positions = counted_from_start(emitter, 1, type.shape().first(static_cast<std::size_t>(numbers)));
  if (emitter.is_refused()) return;
  const auto in = emitter.operand_in_file_layout(0);
  emitter.copy_quantization(in, emitter.output());
  emitter.finish("tfl.gather_nd", {in, positions});
}

/// Returns the positions of elements in a flattened tensor. Before it is flattened, the tensor has type `type`. Operand `at` contains the
/// position of each element along dimension `axis`. The result has the shape of this operand. In dimensions other than `axis`, the operand
/// must not be larger than the tensor. Refuses more than `max_positions` positions (the pass then fails with `unsupported_operator`).
constexpr auto flat_positions(emission& emitter, std::size_t at, const tensor_type& type, std::size_t axis) -> value_id {
  const auto where = emitter.file_type(emitter.operand(at));
  const auto count = element_count(where.shape());
  if (where.rank != type.rank)
    return emitter.refuse("the positions have ", where.rank, " dimensions, but the tensor has ", type.rank), emitter.operand(at);
  if (count > max_positions) return emitter.refuse("there are more than ", max_positions, " positions"), emitter.operand(at);
  for (std::size_t d = 0; d < type.rank; ++d) {
    if (d == axis || where.sizes[d] <= type.sizes[d]) continue;
    emitter.refuse("dimension ", d, " of the positions is ", where.sizes[d], ", but that of the tensor is ", type.sizes[d]);
    return emitter.operand(at);
  }
  const auto positions = counted_from_start(emitter, at, {&type.sizes[axis], 1});
  if (emitter.is_refused()) return positions;
  std::array<std::int64_t, tensor_type::max_rank> step{};
  std::int64_t next = 1;
  for (auto d = type.rank; d-- > 0; next *= type.sizes[d]) step[d] = next;
  vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t offset = 0, remaining = i;
    for (auto d = where.rank; d-- > 0; remaining /= where.sizes[d]) offset += d == axis ? 0 : remaining % where.sizes[d] * step[d];
    offsets.push_back(offset);
  }
  const auto known = known_integers::in(emitter.program(), positions);
  if (known.are_known) {
    for (std::size_t i = 0; i < known.count; ++i) offsets[i] += known[i] * step[axis];
    return emitter.constant("flat_positions", where, view(bytes_of(offsets, where.type)));
  }
  expression f(emitter, where, {});
  const auto scaled = f.mul("scaled", positions, f.whole("step", step[axis]));
  return f.add("flat_positions", scaled, emitter.constant("offsets", where, view(bytes_of(offsets, where.type))));
}
/// Inserts a reshape of `id` to [elements], or to [elements / `inner`, `inner`] if `inner` is not 0. Returns the output of the reshape.
constexpr auto flattened(emission& emitter, std::string_view suffix, value_id id, std::int64_t inner = 0) -> value_id {
  auto type = emitter.stored_type(id);
  const auto count = element_count(type.shape());
  type = inner == 0 ? tensor(type.type, count) : tensor(type.type, count / inner, inner);
  return emitter.add(suffix, "tfl.reshape", {id}, type, {{"new_shape", type.shape()}});
}
/// Replaces `onnx.GatherElements`, which reads one element for each position along one dimension.
constexpr void emit_gather_elements(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto axis = inference::dimension(emitter.integer("axis"), type.rank);
  if (axis == type.rank) return emitter.refuse("there is no dimension ", emitter.integer("axis"));
  const auto positions = flat_positions(emitter, 1, type, axis);
  if (emitter.is_refused()) return;
  const auto in = emitter.operand_in_file_layout(0);
  emitter.copy_quantization(in, emitter.output());
  emitter.finish("tfl.gather", {flattened(emitter, "elements", in), positions}, {{"axis", 0}, {"batch_dims", 0}});
}

/// Finishes the replacement with a copy of `data` in which the slices at `positions` are replaced by `updates`. If the attribute
/// `reduction` is "add", adds `updates` to the slices instead. Positions of replaced slices must differ, as ONNX requires; this function
/// does not check the positions. If the rank of the output differs from the rank of `data`, reshapes the result.
constexpr void finish_scatter(emission& emitter, value_id data, value_id positions, value_id updates) {
  const auto reduction = emitter.text("reduction");
  const bool adds = reduction == "add";
  if (!adds && !reduction.empty() && reduction != "none") return emitter.refuse("reduction ", reduction, " is not supported");
  auto ones_type = emitter.stored_type(updates);
  ones_type.type = dtype::int8;
  const auto count = element_count(ones_type.shape());
  if (count > max_positions) return emitter.refuse("there are more than ", max_positions, " updates");
  const auto type = emitter.stored_type(data), out = emitter.output_type();
  const bool is_reshaped = type.rank != out.rank;
  if (is_reshaped) emitter.begin_inner("elements", type);
  expression f(emitter, type, {});
  const auto sizes = emitter.integer_constant("sizes", type.shape());
  const auto scattered = f.call("scattered", "tfl.scatter_nd", {positions, updates, sizes});
  if (adds) {
    f.finish("tfl.add", data, scattered);
  } else {
    const auto ones = emitter.constant("ones", ones_type, view(text_buffer(static_cast<std::size_t>(count), '\1')));
    const auto marks = f.of(dtype::int8).call("marks", "tfl.scatter_nd", {positions, ones, sizes});
    const auto is_replaced = f.of(dtype::boolean).call("is_replaced", "tfl.cast", {marks});
    emitter.finish("tfl.select_v2", {is_replaced, scattered, data});
  }
  if (is_reshaped) emitter.end_inner("shape", "tfl.reshape", {{"new_shape", out.shape()}});
}
/// Refuses the node if slices are replaced at equal constant positions, because `tfl.scatter_nd` adds such slices. Also refuses more than
/// `max_positions` constant positions. `positions` has rows of `limits.size()` numbers; number i of a row is in [0, `limits[i]`).
constexpr void refuse_equal_positions(emission& emitter, value_id positions, span<const std::int64_t> limits) {
  const auto known = known_integers::in(emitter.program(), positions);
  if (!known.are_known || emitter.text("reduction") == "add") return;
  if (known.count / limits.size() > max_positions) return emitter.refuse("there are more than ", max_positions, " positions");
  vector<std::int64_t> places;
  bool is_ascending = true;
  for (std::size_t i = 0; i + limits.size() <= known.count; i += limits.size()) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < limits.size(); ++d) place = place * limits[d] + known[i + d];
    is_ascending = is_ascending && (places.empty() || places.back() < place);
    places.push_back(place);
  }
  if (is_ascending) return;
  std::sort(places.begin(), places.end());
  if (std::adjacent_find(places.begin(), places.end()) != places.end())
    emitter.refuse("several elements are written to one position; PyTorch and ONNX do not define which one remains");
}
/// Replaces `onnx.ScatterND`, which writes slices. A position has one number for each indexed dimension.
constexpr void emit_scatter_nd(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0)), where = emitter.file_type(emitter.operand(1));
  const auto numbers = where.rank == 0 ? -1 : where.sizes[where.rank - 1];
  if (numbers <= 0 || numbers > static_cast<std::int64_t>(type.rank))
    return emitter.refuse("each position has ", numbers, " numbers for a tensor of ", type.rank, " dimensions");
  const auto limits = type.shape().first(static_cast<std::size_t>(numbers));
  const auto positions = counted_from_start(emitter, 1, limits);
  if (!emitter.is_refused()) refuse_equal_positions(emitter, positions, limits);
  if (!emitter.is_refused()) finish_scatter(emitter, emitter.operand_in_file_layout(0), positions, emitter.operand_in_file_layout(2));
}
/// Replaces `onnx.ScatterElements`, which writes one element for each position along one dimension.
constexpr void emit_scatter_elements(emission& emitter) {
  const auto type = emitter.file_type(emitter.operand(0));
  const auto axis = inference::dimension(emitter.integer("axis"), type.rank);
  if (axis == type.rank) return emitter.refuse("there is no dimension ", emitter.integer("axis"));
  const auto positions = flat_positions(emitter, 1, type, axis);
  const std::int64_t limit[] = {element_count(type.shape())};
  if (!emitter.is_refused()) refuse_equal_positions(emitter, positions, limit);
  if (emitter.is_refused()) return;
  const auto data = flattened(emitter, "elements", emitter.operand_in_file_layout(0));
  const auto rows = flattened(emitter, "rows", positions, 1), updates = flattened(emitter, "updates", emitter.operand_in_file_layout(2));
  finish_scatter(emitter, data, rows, updates);
}

/// The rows (`legalization_row`) of operators that read or write elements at given positions.
inline constexpr legalization_row onnx_gathering[] = {
    {"onnx.Gather", layout_rule::fixed, emit_gather, 2},
    {"onnx.GatherND", layout_rule::fixed, emit_gather_nd, 2},
    {"onnx.GatherElements", layout_rule::fixed, emit_gather_elements, 2},
    {"onnx.ScatterND", layout_rule::fixed, emit_scatter_nd, 3},
    {"onnx.ScatterElements", layout_rule::fixed, emit_scatter_elements, 3},
};

}  // namespace baton::detail
