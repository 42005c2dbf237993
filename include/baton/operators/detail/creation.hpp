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

/// Infers the output as in `lite/kernels/shape.cc` of TensorFlow Lite.
constexpr void infer_shape(inference& node) {
  if (node.text("out_type") == "int32") node.set_type(0, dtype::int32);
  if (node.text("out_type") == "int64") node.set_type(0, dtype::int64);
  node.set_shape(0, {static_cast<std::int64_t>(node.rank(0))});
}
/// Infers the output as in `lite/kernels/rank.cc` of TensorFlow Lite.
constexpr void infer_rank(inference& node) { node.set_output(0, dtype::int32, {}); }
/// Infers the output as in `lite/kernels/fill.cc` of TensorFlow Lite.
constexpr void infer_fill(inference& node) {
  node.set_type(0, node.type(1));
  const auto sizes = node.integers(0);
  if (!sizes.are_known) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < sizes.count && shape.has_rank; ++d) shape.add(sizes[d]);
  node.set_shape(0, shape);
}
/// Infers an output with as many elements as the longer operand; the operands are shapes (`lite/kernels/broadcast_args.cc`).
constexpr void infer_broadcast_args(inference& node) {
  if (!node.require_rank(0, 1) || !node.require_rank(1, 1)) return;
  const auto left = node.size(0, 0);
  const auto right = node.size(1, 0);
  node.set_output(0, node.type(0), {left < 0 || right < 0 ? -1 : left > right ? left : right});
}
/// Infers the output as in `lite/kernels/range.cc` of TensorFlow Lite.
constexpr void infer_range(inference& node) { node.set_output(0, node.type(0), {-1}); }
/// Infers the output as in `lite/kernels/one_hot.cc` of TensorFlow Lite.
constexpr void infer_one_hot(inference& node) {
  node.set_type(0, node.type(2));
  const auto rank = node.rank(0) + 1;
  const auto axis = node.require_dimension(node.integer("axis"), rank);
  if (axis == rank) return;
  const auto depth = node.integers(1);
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d != axis ? node.size(0, d < axis ? d : d - 1) : depth.count == 0 ? -1 : depth[0]);
  node.set_shape(0, shape);
}
/// Infers the output as in `lite/kernels/select.cc` of TensorFlow Lite.
constexpr void infer_select(inference& node) { node.set_output(0, node.type(1), inferred_shape(node.shape(1))); }
/// Infers the broadcast shape of all three operands (`lite/kernels/select.cc`, version 2).
constexpr void infer_select_v2(inference& node) {
  node.set_type(0, node.type(1));
  inferred_shape both;
  inferred_shape all;
  if (!broadcast(node.shape(1), node.shape(2), both)) return node.fail({"the shapes of operands 1 and 2 cannot be broadcast"});
  if (!both.has_rank) return;
  if (!broadcast(node.shape(0), both.view(), all)) return node.fail({"the shape of the condition does not match operands 1 and 2"});
  node.set_shape(0, all);
}
/// Infers the output as in `lite/kernels/where.cc` of TensorFlow Lite.
constexpr void infer_where(inference& node) { node.set_output(0, dtype::int64, {-1, static_cast<std::int64_t>(node.rank(0))}); }

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
