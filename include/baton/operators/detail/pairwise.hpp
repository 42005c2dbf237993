// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of two operands, element by element.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

namespace baton::definitions {

inline constexpr operand_definition pair_operands[] = {{"first"}, {"second"}};

/// `lite/kernels/{add,sub,div,maximum_minimum,squared_difference,pow,floor_div,floor_mod,logical}.cc`
constexpr void infer_pair(inference& at) {
  at.give_type(0, at.type(0));
  return give_broadcast(at, 0, 1);
}
/// `lite/kernels/mul.cc`: products of 16 bits may have 8.
constexpr void infer_mul(inference& at) {
  if (at.type(0) != dtype::int16) at.give_type(0, at.type(0));
  return give_broadcast(at, 0, 1);
}
/// `lite/kernels/comparisons.cc`
constexpr void infer_comparison(inference& at) {
  at.give_type(0, dtype::boolean);
  return give_broadcast(at, 0, 1);
}

/// What is known of operators of two operands, element by element. Which of them commute: PyTorch's `native_functions.yaml` and the
/// reference kernels of TensorFlow Lite. In-place forms are left out, since they write to the first operand, and so are operators that
/// have attributes an operand.
inline constexpr operator_definition pairwise[] = {
    {.name = "aten.add.Tensor", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.mul.Tensor", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.maximum.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.minimum.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.fmax.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.fmin.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.eq.Tensor", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.ne.Tensor", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.logical_and.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.logical_or.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.logical_xor.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.bitwise_and.Tensor", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.bitwise_or.Tensor", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.bitwise_xor.Tensor", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.hypot.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.logaddexp.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.logaddexp2.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.gcd.default", .operands = pair_operands, .is_commutative = true},
    {.name = "aten.lcm.default", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.add", .operands = pair_operands, .is_commutative = true, .infer = infer_pair},
    {.name = "tfl.mul", .operands = pair_operands, .is_commutative = true, .infer = infer_mul},
    {.name = "tfl.maximum", .operands = pair_operands, .is_commutative = true, .infer = infer_pair},
    {.name = "tfl.minimum", .operands = pair_operands, .is_commutative = true, .infer = infer_pair},
    {.name = "tfl.squared_difference", .operands = pair_operands, .is_commutative = true, .infer = infer_pair},
    {.name = "tfl.equal", .operands = pair_operands, .is_commutative = true, .infer = infer_comparison},
    {.name = "tfl.not_equal", .operands = pair_operands, .is_commutative = true, .infer = infer_comparison},
    {.name = "tfl.logical_and", .operands = pair_operands, .is_commutative = true, .infer = infer_pair},
    {.name = "tfl.logical_or", .operands = pair_operands, .is_commutative = true, .infer = infer_pair},
    {.name = "tfl.bitwise_xor", .operands = pair_operands, .is_commutative = true, .infer = infer_pair},
    {.name = "tfl.sub", .operands = pair_operands, .infer = infer_pair},
    {.name = "tfl.div", .operands = pair_operands, .infer = infer_pair},
    {.name = "tfl.pow", .operands = pair_operands, .infer = infer_pair},
    {.name = "tfl.floor_div", .operands = pair_operands, .infer = infer_pair},
    {.name = "tfl.floor_mod", .operands = pair_operands, .infer = infer_pair},
    {.name = "tfl.atan2", .operands = pair_operands, .infer = infer_pair},
    {.name = "tfl.right_shift", .operands = pair_operands, .infer = infer_pair},
    {.name = "tfl.less", .operands = pair_operands, .infer = infer_comparison},
    {.name = "tfl.less_equal", .operands = pair_operands, .infer = infer_comparison},
    {.name = "tfl.greater", .operands = pair_operands, .infer = infer_comparison},
    {.name = "tfl.greater_equal", .operands = pair_operands, .infer = infer_comparison},
    {.name = "tfl.stablehlo_add", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_multiply", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_maximum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_minimum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_and", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_or", .operands = pair_operands, .is_commutative = true},
};

}  // namespace baton::definitions
