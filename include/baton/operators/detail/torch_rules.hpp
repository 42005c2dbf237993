// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules that the operators of torch.export share. The operands are the tensors among the arguments. Any other argument at position i of the
// schema in PyTorch's native_functions.yaml is the attribute `arg_i`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/detail/executorch_layers.hpp>
#include <baton/operators/detail/executorch_rules.hpp>
#include <baton/operators/detail/pairwise.hpp>
#include <baton/operators/detail/unary.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::torch::definitions {

using baton::definitions::infer_promoted;
using baton::definitions::infer_promoted_to_real;
using baton::definitions::infer_real;
using baton::definitions::infer_truth;
using executorch::definitions::infer_boolean;
using executorch::definitions::infer_same_shape;
using executorch::definitions::infer_same_type_and_shape;
using executorch::definitions::one_operand;
using executorch::definitions::optional;
using executorch::definitions::repeated;
using executorch::definitions::two_operands;

/// The numeric attribute `arg_1` may replace the second operand.
inline constexpr operand_definition number_operands[] = {{"self"}, {"other", optional}};

/// Returns the definition of an operator without side effects.
constexpr auto define(literal_name name, operator_definition::operand_list operands, operator_definition::inference_rule infer,
                      operator_definition::work_rule multiply_adds = nullptr) -> operator_definition {
  return {.name = name, .operands = operands, .is_functional = true, .infer = infer, .multiply_adds = multiply_adds};
}
/// Returns the definition of an operator without side effects whose first two operands may be swapped.
constexpr auto define_commutative(literal_name name, operator_definition::operand_list operands, operator_definition::inference_rule infer)
    -> operator_definition {
  return {.name = name, .operands = operands, .is_commutative = true, .is_functional = true, .infer = infer};
}
/// Returns the definition of an operator that returns the elements of its operand in order.
constexpr auto define_view(literal_name name, operator_definition::inference_rule infer) -> operator_definition {
  return {.name = name, .operands = one_operand, .is_structural = true, .is_functional = true, .infer = infer};
}

}  // namespace baton::torch::definitions
