// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reductions of torch.export, and searches along one dimension.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/torch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::torch::definitions {

using executorch::definitions::give_reduction;

/// Arguments 1 to 3 of a sum: dimensions, whether they are kept, and a type.
constexpr void infer_sum(inference& at) {
  if (!at.has("arg_3")) baton::give_if_real(at, at.type(0));
  return give_reduction(at, at.list("arg_1"), at.integer("arg_2") != 0);
}
/// The sum of all elements; argument 1 is a type.
constexpr void infer_total(inference& at) {
  if (!at.has("arg_1")) baton::give_if_real(at, at.type(0));
  at.give_shape(0, {});
}
/// The largest or smallest element.
constexpr void infer_extreme(inference& at) { at.give(0, at.type(0), {}); }
constexpr void infer_extremes(inference& at) {
  at.give_type(0, at.type(0));
  return give_reduction(at, at.list("arg_1"), at.integer("arg_2") != 0);
}
/// Arguments 1 and 2: one dimension, or all if it is absent, and whether it is kept.
constexpr void give_reduction_of_one(inference& at) {
  const std::int64_t axes[] = {at.integer("arg_1")};
  if (at.has("arg_1")) at.needs_dimension(axes[0], at.rank(0) == 0 ? 1 : at.rank(0));
  return give_reduction(at, at.has("arg_1") ? span<const std::int64_t>{axes} : span<const std::int64_t>{}, at.integer("arg_2") != 0);
}
constexpr void infer_test_of_all(inference& at) { at.give(0, dtype::boolean, {}); }
constexpr void infer_test_along(inference& at) {
  at.give_type(0, dtype::boolean);
  return give_reduction_of_one(at);
}
constexpr void infer_tests_along(inference& at) {
  at.give_type(0, dtype::boolean);
  return give_reduction(at, at.list("arg_1"), at.integer("arg_2") != 0);
}
/// The position of the largest or smallest element.
constexpr void infer_position(inference& at) {
  at.give_type(0, dtype::int64);
  return give_reduction_of_one(at);
}
/// The largest or smallest elements along one dimension, and their positions.
constexpr void infer_elements_and_positions(inference& at) {
  at.give_type(0, at.type(0));
  at.give_type(1, dtype::int64);
  return give_reduction_of_one(at);
}
/// Arguments of `topk`: the number of elements, and the dimension.
constexpr void infer_topk(inference& at) {
  at.give_type(0, at.type(0));
  at.give_type(1, dtype::int64);
  inferred_shape shape(at.shape(0));
  const auto axis = inference::dimension(at.integer("arg_2", -1), shape.rank);
  if (!shape.has_rank || axis == shape.rank) return;
  shape.sizes[axis] = at.integer("arg_1");
  for (std::size_t i = 0; i < at.output_count(); ++i) at.give_shape(i, shape);
}

/// Definitions of reductions.
inline constexpr operator_definition reductions[] = {
    define("aten.sum.default", one_operand, infer_total),
    define("aten.sum.dim_IntList", one_operand, infer_sum),
    define("aten.mean.default", one_operand, infer_total),
    define("aten.mean.dim", one_operand, infer_sum),
    define("aten.prod.default", one_operand, infer_total),
    define("aten.amax.default", one_operand, infer_extremes),
    define("aten.amin.default", one_operand, infer_extremes),
    define("aten.max.default", one_operand, infer_extreme),
    define("aten.min.default", one_operand, infer_extreme),
    define("aten.max.dim", one_operand, infer_elements_and_positions),
    define("aten.min.dim", one_operand, infer_elements_and_positions),
    define("aten.var.correction", one_operand, executorch::definitions::infer_variance),
    define("aten.any.default", one_operand, infer_test_of_all),
    define("aten.any.dim", one_operand, infer_test_along),
    define("aten.any.dims", one_operand, infer_tests_along),
    define("aten.all.default", one_operand, infer_test_of_all),
    define("aten.all.dim", one_operand, infer_test_along),
    define("aten.argmax.default", one_operand, infer_position),
    define("aten.argmin.default", one_operand, infer_position),
    define("aten.cumsum.default", one_operand, infer_shape_alike),
    define("aten.topk.default", one_operand, infer_topk),
};

}  // namespace baton::torch::definitions
