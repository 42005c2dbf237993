// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that reduce dimensions: sum, mean, product, minimum, maximum, logical operations, and the index of a minimum or maximum.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>

namespace baton::definitions {

inline constexpr operand_definition total_operands[] = {{"input"}};
inline constexpr operand_definition reduction_operands[] = {{"input"}, {"axes"}};

/// Infers the output of PyTorch's `sum` of all elements.
constexpr void infer_total(inference& node) {
  set_type_if_real(node, node.type(0));
  node.set_shape(0, {});
}
/// Infers the output of a reduction (`lite/kernels/reduce.cc`). Reduced dimensions are kept with size 1 if `keep_dims` is set, otherwise
/// removed. If the axes are unknown, the sizes are not inferred, and the rank is inferred only if `keep_dims` is set.
constexpr void infer_reduction(inference& node) {
  node.set_type(0, node.type(0));
  const auto axes = node.integers(1);
  const bool keeps_dimensions = node.integer("keep_dims") != 0;
  const auto rank = node.rank(0);
  if (!axes.are_known && !keeps_dimensions) return;
  for (std::size_t i = 0; i < axes.count; ++i) {
    if (rank != 0 && inference::dimension(axes[i], rank) == rank) return node.fail({"there is no dimension ", axes[i]});
  }
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    bool is_reduced = false;
    for (std::size_t i = 0; i < axes.count && !is_reduced; ++i) is_reduced = inference::dimension(axes[i], rank) == d;
    if (!is_reduced) shape.add(axes.are_known ? node.size(0, d) : -1);
    if (is_reduced && keeps_dimensions) shape.add(1);
  }
  node.set_shape(0, shape);
}
/// Infers the output of an `arg_max` or `arg_min` (`lite/kernels/arg_min_max.cc`). The reduced dimension is removed. If the axis is
/// unknown, the sizes are not inferred.
constexpr void infer_arg(inference& node) {
  if (node.text("output_type") == "int32") node.set_type(0, dtype::int32);
  if (node.text("output_type") == "int64") node.set_type(0, dtype::int64);
  const auto axes = node.integers(1);
  const auto rank = node.rank(0);
  if (rank == 0) return;
  const auto axis = axes.count == 0 ? rank : inference::dimension(axes[0], rank);
  if (axes.count != 0 && axis == rank) return node.fail({"there is no dimension ", axes[0]});
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    if (axis == rank ? d != 0 : d != axis) shape.add(axis == rank ? -1 : node.size(0, d));
  }
  node.set_shape(0, shape);
}

/// Definitions of reductions along dimensions.
inline constexpr operator_definition reduction[] = {
    {.name = "aten.sum.default", .operands = total_operands, .infer = infer_total},
    {.name = "tfl.mean", .operands = reduction_operands, .infer = infer_reduction},
    {.name = "tfl.sum", .operands = reduction_operands, .infer = infer_reduction},
    {.name = "tfl.reduce_prod", .operands = reduction_operands, .infer = infer_reduction},
    {.name = "tfl.reduce_max", .operands = reduction_operands, .infer = infer_reduction},
    {.name = "tfl.reduce_min", .operands = reduction_operands, .infer = infer_reduction},
    {.name = "tfl.reduce_any", .operands = reduction_operands, .infer = infer_reduction},
    {.name = "tfl.reduce_all", .operands = reduction_operands, .infer = infer_reduction},
    {.name = "tfl.arg_max", .operands = reduction_operands, .infer = infer_arg},
    {.name = "tfl.arg_min", .operands = reduction_operands, .infer = infer_arg},
};

}  // namespace baton::definitions
