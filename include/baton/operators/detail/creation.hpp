// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that create tensors from shapes or numbers, or select elements by a condition.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition single_operand[] = {{"input"}};
inline constexpr operand_definition fill_operands[] = {{"shape"}, {"value"}};
inline constexpr operand_definition shapes_operands[] = {{"first"}, {"second"}};
inline constexpr operand_definition range_operands[] = {{"start"}, {"limit"}, {"delta"}};
inline constexpr operand_definition one_hot_operands[] = {{"positions"}, {"depth"}, {"on"}, {"off"}};
inline constexpr operand_definition select_operands[] = {{"condition"}, {"first"}, {"second"}};

/// `lite/kernels/shape.cc`
constexpr void infer_shape(inference& at) {
  if (at.text("out_type") == "int32") at.give_type(0, dtype::int32);
  if (at.text("out_type") == "int64") at.give_type(0, dtype::int64);
  at.give_shape(0, {static_cast<std::int64_t>(at.rank(0))});
}
/// `lite/kernels/rank.cc`
constexpr void infer_rank(inference& at) { at.give(0, dtype::int32, {}); }
/// `lite/kernels/fill.cc`
constexpr void infer_fill(inference& at) {
  at.give_type(0, at.type(1));
  const auto sizes = at.integers(0);
  if (!sizes.are_known) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < sizes.count && shape.has_rank; ++d) shape.add(sizes[d]);
  at.give_shape(0, shape);
}
/// `lite/kernels/broadcast_args.cc`: the output has as many elements as the longer shape.
constexpr void infer_broadcast_args(inference& at) {
  if (!at.needs_rank(0, 1) || !at.needs_rank(1, 1)) return;
  const auto left = at.size(0, 0);
  const auto right = at.size(1, 0);
  at.give(0, at.type(0), {left < 0 || right < 0 ? -1 : left > right ? left : right});
}
/// `lite/kernels/range.cc`
constexpr void infer_range(inference& at) { at.give(0, at.type(0), {-1}); }
/// `lite/kernels/one_hot.cc`
constexpr void infer_one_hot(inference& at) {
  at.give_type(0, at.type(2));
  const auto rank = at.rank(0) + 1;
  const auto axis = at.needs_dimension(at.integer("axis"), rank);
  if (axis == rank) return;
  const auto depth = at.integers(1);
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d != axis ? at.size(0, d < axis ? d : d - 1) : depth.count == 0 ? -1 : depth[0]);
  at.give_shape(0, shape);
}
/// `lite/kernels/select.cc`
constexpr void infer_select(inference& at) { at.give(0, at.type(1), inferred_shape(at.shape(1))); }
/// `lite/kernels/select.cc`, version 2: all three operands are broadcast.
constexpr void infer_select_v2(inference& at) {
  at.give_type(0, at.type(1));
  inferred_shape both;
  inferred_shape all;
  if (!broadcast(at.shape(1), at.shape(2), both)) return at.misfit({"the shapes of operands 1 and 2 differ"});
  if (!both.has_rank) return;
  if (!broadcast(at.shape(0), both.view(), all)) return at.misfit({"the shape of the condition does not match the choices"});
  at.give_shape(0, all);
}
/// `lite/kernels/where.cc`
constexpr void infer_where(inference& at) { at.give(0, dtype::int64, {-1, static_cast<std::int64_t>(at.rank(0))}); }

/// Definitions of operators that create tensors from shapes or numbers, or select elements by a condition.
inline constexpr operator_definition creation[] = {
    {.name = "tfl.shape", .operands = single_operand, .infer = infer_shape},
    {.name = "tfl.rank", .operands = single_operand, .infer = infer_rank},
    {.name = "tfl.fill", .operands = fill_operands, .infer = infer_fill},
    {.name = "tfl.broadcast_args", .operands = shapes_operands, .infer = infer_broadcast_args},
    {.name = "tfl.range", .operands = range_operands, .infer = infer_range},
    {.name = "tfl.one_hot", .operands = one_hot_operands, .infer = infer_one_hot},
    {.name = "tfl.select", .operands = select_operands, .infer = infer_select},
    {.name = "tfl.select_v2", .operands = select_operands, .infer = infer_select_v2},
    {.name = "tfl.where", .operands = single_operand, .infer = infer_where},
};

}  // namespace baton::definitions
