// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX operators that reduce dimensions, or create tensors from shapes and numbers.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::onnx::definitions {

inline constexpr operand_definition reduced_operands[] = {{"data"}, {"axes", optional}};
inline constexpr operand_definition data_operand[] = {{"data"}};
inline constexpr operand_definition filled_operands[] = {{"input"}};
inline constexpr operand_definition range_operands[] = {{"start"}, {"limit"}, {"delta"}};

/// Infers the output of a reduction. The output has the type of the input. Axes are an attribute before version 18, or before version 13
/// for ReduceSum. Without axes, all dimensions are reduced, unless `noop_with_empty_axes` is set; then no dimension is reduced.
constexpr void infer_reduction(inference& node) {
  node.set_type(0, node.type(0));
  const auto axes = numbers_of(node, 1, "axes");
  const auto rank = node.rank(0);
  const bool keeps_dimensions = node.integer("keepdims", 1) != 0;
  if (axes.is_given && !axes.is_known) return set_rank(node, keeps_dimensions ? static_cast<std::int64_t>(rank) : -1);
  const bool reduces_all = axes.count == 0 && node.integer("noop_with_empty_axes") == 0;
  for (std::size_t i = 0; i < axes.count; ++i) {
    if (rank != 0 && node.require_dimension(axes[i], rank) == rank) return;
  }
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool is_reduced = reduces_all || axes.has_axis(d, rank);
    if (!is_reduced) shape.add(node.size(0, d));
    if (is_reduced && keeps_dimensions) shape.add(1);
  }
  node.set_shape(0, shape);
}
constexpr void infer_arg(inference& node) {
  node.set_type(0, dtype::int64);
  const auto rank = node.rank(0);
  const auto axis = node.require_dimension(node.integer("axis"), rank);
  if (axis == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d != axis) shape.add(node.size(0, d));
    if (d == axis && node.integer("keepdims", 1) != 0) shape.add(1);
  }
  node.set_shape(0, shape);
}

/// Infers the shape of the output. The elements of the output are the sizes of the input's dimensions from `start` to `end` (exclusive). A
/// negative bound counts from the rank, so -1 is the last dimension. Both bounds are clamped to [0, rank]. Before version 15, the bounds
/// are absent.
constexpr void infer_shape(inference& node) {
  const auto rank = static_cast<std::int64_t>(node.rank(0));
  const auto clamped = [&](std::int64_t axis) { return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank); };
  const auto start = clamped(node.integer("start")), end = clamped(node.integer("end", rank));
  node.set_output(0, dtype::int64, {std::max<std::int64_t>(0, end - start)});
}
constexpr void infer_size(inference& node) { node.set_output(0, dtype::int64, {}); }
/// Infers the shape from operand 0, which lists the sizes, and the dtype from the attribute `value`, a tensor with one element. An importer
/// stores the name of this dtype in the text attribute `value_type`.
constexpr void infer_constant_of_shape(inference& node) {
  const auto named = dtype_named(node.text("value_type"));
  if (named.is_known || !node.has("value")) node.set_type(0, named.type);
  return set_listed_shape(node, 0);
}
/// Counts the integers from `start` to `limit` (exclusive) in steps of `step`, which is not 0. Returns -1 if the count is greater than
/// `known_sizes::max`.
constexpr auto range_size(std::int64_t start, std::int64_t limit, std::int64_t step) -> std::int64_t {
  if (step > 0 ? start >= limit : start <= limit) return 0;
  const auto from = static_cast<std::uint64_t>(start), to = static_cast<std::uint64_t>(limit), width = static_cast<std::uint64_t>(step);
  const auto last = step > 0 ? (to - from - 1) / width : (from - to - 1) / (0 - width);
  return last < static_cast<std::uint64_t>(known_sizes::max) ? static_cast<std::int64_t>(last) + 1 : -1;
}
/// Infers the number of elements if the operands are constants of int32, int64 or float32.
constexpr void infer_range(inference& node) {
  node.set_type(0, node.type(0));
  const known_integers start = node.integers(0), limit = node.integers(1), delta = node.integers(2);  // unclamped, unlike `known_sizes`
  const bool are_integers = start.count == 1 && limit.count == 1 && delta.count == 1;
  if (are_integers && delta[0] != 0) return node.set_shape(0, {range_size(start[0], limit[0], delta[0])});
  const auto real = [&](std::size_t i) {
    return node.type(i) == dtype::float32 && node.bytes(i).size() == 4 ? float_at(node.bytes(i), 0) : 0.0F;
  };
  const auto distance = static_cast<double>(real(1) - real(0)), step = static_cast<double>(real(2));  // rounded to float32, as in ONNX
  const bool is_real = node.type(0) == dtype::float32 && !node.bytes(0).empty() && !node.bytes(1).empty() && step != 0;
  const auto count = is_real ? distance / step : -1.0;
  if (!is_real || !(count < 2147483648.0)) return node.set_shape(0, {-1});
  const auto whole = count <= 0 ? 0 : static_cast<std::int64_t>(count);
  node.set_shape(0, {whole + (count > 0 && static_cast<double>(whole) < count ? 1 : 0)});
}
constexpr void infer_eye_like(inference& node) {
  set_named_type(node, "dtype", node.type(0));
  node.set_shape(0, inferred_shape(node.shape(0)));
}
constexpr void infer_non_zero(inference& node) { node.set_output(0, dtype::int64, {static_cast<std::int64_t>(node.rank(0)), -1}); }

/// Definitions of reductions, and of operators that create tensors.
inline constexpr operator_definition making[] = {
    {.name = "onnx.ReduceL1", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceL2", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceLogSum", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceLogSumExp", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceMax", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceMean", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceMin", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceProd", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceSum", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ReduceSumSquare", .operands = reduced_operands, .is_functional = true, .is_versioned = true, .infer = infer_reduction},
    {.name = "onnx.ArgMax", .operands = data_operand, .is_functional = true, .infer = infer_arg},
    {.name = "onnx.ArgMin", .operands = data_operand, .is_functional = true, .infer = infer_arg},
    {.name = "onnx.Shape", .operands = data_operand, .is_functional = true, .infer = infer_shape},
    {.name = "onnx.Size", .operands = data_operand, .is_functional = true, .infer = infer_size},
    {.name = "onnx.ConstantOfShape", .operands = filled_operands, .is_functional = true, .infer = infer_constant_of_shape},
    {.name = "onnx.Range", .operands = range_operands, .is_functional = true, .infer = infer_range},
    {.name = "onnx.EyeLike", .operands = filled_operands, .is_functional = true, .infer = infer_eye_like},
    {.name = "onnx.NonZero", .operands = one_operand, .is_functional = true, .infer = infer_non_zero},
};

}  // namespace baton::onnx::definitions
