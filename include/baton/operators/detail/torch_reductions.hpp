// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reductions of torch.export, and searches along one dimension.
#pragma once

#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/executorch_pieces.hpp>
#include <baton/operators/detail/torch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

namespace baton::torch::definitions {

using executorch::definitions::infer_boolean_along;
using executorch::definitions::infer_boolean_of_all;
using executorch::definitions::infer_boolean_of_one;
using executorch::definitions::infer_extreme;
using executorch::definitions::infer_found_position;
using executorch::definitions::infer_reduction;
using executorch::definitions::infer_reduction_of_all;
using executorch::definitions::infer_topk;
using executorch::definitions::infer_variance;
using executorch::definitions::set_reduction;

/// Infers the output of a sum. Argument 1 lists the dimensions. Argument 2 states whether these dimensions are kept with size 1. If
/// argument 3, the output type, is present, the type is not inferred.
constexpr void infer_sum(inference& node) {
  if (!node.has("arg_3")) baton::set_type_if_real(node, node.type(0));
  return set_reduction(node, node.list("arg_1"), node.integer("arg_2") != 0);
}
/// Infers the output of a sum of all elements. If argument 1, the output type, is present, the type is not inferred.
constexpr void infer_total(inference& node) {
  if (!node.has("arg_1")) baton::set_type_if_real(node, node.type(0));
  node.set_shape(0, {});
}

/// Definitions of reductions.
inline constexpr operator_definition reductions[] = {
    define("aten.sum.default", one_operand, infer_total),
    define("aten.sum.dim_IntList", one_operand, infer_sum),
    define("aten.mean.default", one_operand, infer_total),
    define("aten.mean.dim", one_operand, infer_sum),
    define("aten.prod.default", one_operand, infer_total),
    define("aten.amax.default", one_operand, infer_reduction),
    define("aten.amin.default", one_operand, infer_reduction),
    define("aten.max.default", one_operand, infer_reduction_of_all),
    define("aten.min.default", one_operand, infer_reduction_of_all),
    define("aten.max.dim", one_operand, infer_extreme),
    define("aten.min.dim", one_operand, infer_extreme),
    define("aten.var.correction", one_operand, infer_variance),
    define("aten.any.default", one_operand, infer_boolean_of_all),
    define("aten.any.dim", one_operand, infer_boolean_of_one),
    define("aten.any.dims", one_operand, infer_boolean_along),
    define("aten.all.default", one_operand, infer_boolean_of_all),
    define("aten.all.dim", one_operand, infer_boolean_of_one),
    define("aten.argmax.default", one_operand, infer_found_position),
    define("aten.argmin.default", one_operand, infer_found_position),
    define("aten.cumsum.default", one_operand, infer_same_shape),
    define("aten.topk.default", one_operand, infer_topk),
};

}  // namespace baton::torch::definitions
