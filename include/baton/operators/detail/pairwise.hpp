// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Element-wise operators with two operands.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

namespace baton::definitions {

inline constexpr operand_definition pair_operands[] = {{"first"}, {"second"}};
// The numeric attribute `other` may replace the second operand.
inline constexpr operand_definition pair_or_number_operands[] = {{"first"}, {"second", operand_definition::presence::optional}};

/// Infers an output with the type of the first operand and the broadcast shape of both operands
/// (`lite/kernels/{add,sub,div,maximum_minimum,squared_difference,pow,floor_div,floor_mod,logical}.cc`).
constexpr void infer_elementwise_binary(inference& node) {
  node.set_type(0, node.type(0));
  return set_broadcast(node, 0, 1);
}
/// Infers the output of a product (`lite/kernels/mul.cc`). The product of int16 operands may have 8 bits, so its type is not inferred.
constexpr void infer_mul(inference& node) {
  if (node.type(0) != dtype::int16) node.set_type(0, node.type(0));
  return set_broadcast(node, 0, 1);
}

/// Sets the shape of output 0 to the broadcast shape of both operands. If a number replaces the second operand, the output has the shape of
/// the first operand.
constexpr void set_pair_shape(inference& node) {
  if (node.has(1)) return set_broadcast(node, 0, 1);
  node.set_shape(0, inferred_shape(node.shape(0)));
}
/// Infers the output by PyTorch's broadcasting and type promotion. The type is not inferred if the operand types differ. If a number
/// replaces the second operand, the type is inferred only for a floating-point or complex operand.
constexpr void infer_promoted(inference& node) {
  if (!node.has(1)) {
    set_type_if_real(node, node.type(0));
  } else if (node.type(0) == node.type(1)) {
    node.set_type(0, node.type(0));
  }
  return set_pair_shape(node);
}
/// Same as `infer_promoted`, for operators that convert integers to floating-point numbers, such as true division and `hypot`. The type is
/// not inferred for integer operands.
constexpr void infer_promoted_to_real(inference& node) {
  if (!node.has(1) || node.type(0) == node.type(1)) set_type_if_real(node, node.type(0));
  return set_pair_shape(node);
}
/// Infers a boolean output, for operators of PyTorch and of `lite/kernels/comparisons.cc`.
constexpr void infer_truth(inference& node) {
  node.set_type(0, dtype::boolean);
  return set_pair_shape(node);
}

/// Definitions of element-wise operators with two operands. Commutativity follows PyTorch's `native_functions.yaml` and the reference
/// kernels of TensorFlow Lite. In-place variants are omitted, because they write to the first operand. An operator with an attribute that
/// applies to one operand only is not marked as commutative. The exception is `aten.add.Tensor`: the operator support `commutative` checks
/// the attribute `alpha` of this operator.
inline constexpr operator_definition pairwise[] = {
    {.name = "aten.add.Tensor", .operands = pair_or_number_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.mul.Tensor", .operands = pair_or_number_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.maximum.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.minimum.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.fmax.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.fmin.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.eq.Tensor", .operands = pair_or_number_operands, .is_commutative = true, .infer = infer_truth},
    {.name = "aten.ne.Tensor", .operands = pair_or_number_operands, .is_commutative = true, .infer = infer_truth},
    {.name = "aten.logical_and.default", .operands = pair_operands, .is_commutative = true, .infer = infer_truth},
    {.name = "aten.logical_or.default", .operands = pair_operands, .is_commutative = true, .infer = infer_truth},
    {.name = "aten.logical_xor.default", .operands = pair_operands, .is_commutative = true, .infer = infer_truth},
    {.name = "aten.bitwise_and.Tensor", .operands = pair_or_number_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.bitwise_or.Tensor", .operands = pair_or_number_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.bitwise_xor.Tensor", .operands = pair_or_number_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.hypot.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted_to_real},
    {.name = "aten.logaddexp.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted_to_real},
    {.name = "aten.logaddexp2.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted_to_real},
    {.name = "aten.gcd.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.lcm.default", .operands = pair_operands, .is_commutative = true, .infer = infer_promoted},
    {.name = "aten.sub.Tensor", .operands = pair_or_number_operands, .infer = infer_promoted},
    {.name = "aten.div.Tensor", .operands = pair_or_number_operands, .infer = infer_promoted_to_real},
    {.name = "aten.lt.Tensor", .operands = pair_or_number_operands, .infer = infer_truth},
    {.name = "aten.gt.Tensor", .operands = pair_or_number_operands, .infer = infer_truth},
    {.name = "aten.eq.Scalar", .operands = pair_or_number_operands, .infer = infer_truth},
    {.name = "aten.lt.Scalar", .operands = pair_or_number_operands, .infer = infer_truth},
    {.name = "aten.gt.Scalar", .operands = pair_or_number_operands, .infer = infer_truth},
    {.name = "baton.add", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "baton.mul", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "baton.sub", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.add", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "tfl.mul", .operands = pair_operands, .is_commutative = true, .infer = infer_mul},
    {.name = "tfl.maximum", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "tfl.minimum", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "tfl.squared_difference", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "tfl.equal", .operands = pair_operands, .is_commutative = true, .infer = infer_truth},
    {.name = "tfl.not_equal", .operands = pair_operands, .is_commutative = true, .infer = infer_truth},
    {.name = "tfl.logical_and", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "tfl.logical_or", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "tfl.bitwise_xor", .operands = pair_operands, .is_commutative = true, .infer = infer_elementwise_binary},
    {.name = "tfl.sub", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.div", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.pow", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.floor_div", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.floor_mod", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.atan2", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.right_shift", .operands = pair_operands, .infer = infer_elementwise_binary},
    {.name = "tfl.less", .operands = pair_operands, .infer = infer_truth},
    {.name = "tfl.less_equal", .operands = pair_operands, .infer = infer_truth},
    {.name = "tfl.greater", .operands = pair_operands, .infer = infer_truth},
    {.name = "tfl.greater_equal", .operands = pair_operands, .infer = infer_truth},
    {.name = "tfl.stablehlo_add", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_multiply", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_maximum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_minimum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_and", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_or", .operands = pair_operands, .is_commutative = true},
};

}  // namespace baton::definitions
