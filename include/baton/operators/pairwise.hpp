// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of two operands, element by element.
#pragma once

#include <baton/operators/operator_definition.hpp>

namespace baton::definitions {

inline constexpr operand_definition pair_operands[] = {{"first"}, {"second"}};

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
    {.name = "tfl.add", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.mul", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.maximum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.minimum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.squared_difference", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.equal", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.not_equal", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.logical_and", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.logical_or", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.bitwise_xor", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_add", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_multiply", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_maximum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_minimum", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_and", .operands = pair_operands, .is_commutative = true},
    {.name = "tfl.stablehlo_or", .operands = pair_operands, .is_commutative = true},
};

}  // namespace baton::definitions
