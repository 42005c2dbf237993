// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX operators whose output has the shape of their first operand, or the broadcast shape of several operands.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/detail/pairwise.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>

namespace baton::onnx::definitions {

inline constexpr operand_definition several_operands[] = {{"data", repeated}};
inline constexpr operand_definition slope_operands[] = {{"X"}, {"slope"}};
inline constexpr operand_definition clip_operands[] = {{"input"}, {"min", optional}, {"max", optional}};
inline constexpr operand_definition where_operands[] = {{"condition"}, {"X"}, {"Y"}};
inline constexpr operand_definition cast_like_operands[] = {{"input"}, {"target_type"}};
inline constexpr operand_definition dropout_operands[] = {{"data"}, {"ratio", optional}, {"training_mode", optional}};
inline constexpr operand_definition cumsum_operands[] = {{"x"}, {"axis"}};
inline constexpr operand_definition trilu_operands[] = {{"input"}, {"k", optional}};

using baton::definitions::infer_elementwise_binary;
using baton::definitions::infer_truth;

/// Infers an output with the broadcast shape of all operands.
constexpr void infer_several(inference& node) {
  node.set_type(0, node.type(0));
  inferred_shape shape(node.shape(0)), both;
  for (std::size_t i = 1; i < node.operand_count() && shape.has_rank; ++i) {
    if (!broadcast(shape.view(), node.shape(i), both))
      return node.fail({"the shape of operand ", i, " cannot be broadcast with the shapes of the operands before it"});
    shape = both;
  }
  node.set_shape(0, shape);
}
constexpr void infer_where(inference& node) {
  node.set_type(0, node.type(1));
  inferred_shape both, all;
  if (!broadcast(node.shape(1), node.shape(2), both)) return node.fail({"the shapes of operands 1 and 2 cannot be broadcast"});
  if (!both.has_rank) return;
  if (!broadcast(node.shape(0), both.view(), all)) return node.fail({"the shape of the condition does not match operands 1 and 2"});
  node.set_shape(0, all);
}
constexpr void infer_cast(inference& node) {
  const auto to = element_type_of(node.integer("to"));
  if (to.is_known) node.set_type(0, to.type);
  node.set_shape(0, inferred_shape(node.shape(0)));
}
constexpr void infer_cast_like(inference& node) { node.set_output(0, node.type(1), inferred_shape(node.shape(0))); }
/// Infers the outputs of Dropout: the result and the mask. The mask is boolean; before version 10, it has the type of the input.
constexpr void infer_dropout(inference& node) {
  infer_same(node);
  node.set_output(1, version(node) < 10 ? node.type(0) : dtype::boolean, inferred_shape(node.shape(0)));
}

/// Definitions of operators whose output has the shape of their first operand.
inline constexpr operator_definition unary[] = {
    {.name = "onnx.Abs", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Acos", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Acosh", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Asin", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Asinh", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Atan", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Atanh", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.BitwiseNot", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Ceil", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Celu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Cos", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Cosh", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Elu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Erf", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Exp", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Floor", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Gelu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.HardSigmoid", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.HardSwish", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.LeakyRelu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Log", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Mish", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Neg", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Not", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Reciprocal", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Relu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Round", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Selu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Shrink", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Sigmoid", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Sign", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Sin", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Sinh", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Softplus", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Softsign", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Sqrt", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Swish", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Tan", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Tanh", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.ThresholdedRelu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.com.microsoft.Gelu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.com.microsoft.QuickGelu", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.IsInf", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "onnx.IsNaN", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "onnx.Identity", .operands = one_operand, .is_structural = true, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Cast", .operands = one_operand, .is_functional = true, .infer = infer_cast},
    {.name = "onnx.CastLike", .operands = cast_like_operands, .is_functional = true, .infer = infer_cast_like},
    {.name = "onnx.PRelu", .operands = slope_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Clip", .operands = clip_operands, .is_functional = true, .is_versioned = true, .infer = infer_same},
    {.name = "onnx.Dropout", .operands = dropout_operands, .is_functional = true, .is_versioned = true, .infer = infer_dropout},
    {.name = "onnx.CumSum", .operands = cumsum_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Trilu", .operands = trilu_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.Softmax", .operands = one_operand, .is_functional = true, .is_versioned = true, .infer = infer_same},
    {.name = "onnx.LogSoftmax", .operands = one_operand, .is_functional = true, .is_versioned = true, .infer = infer_same},
    {.name = "onnx.Hardmax", .operands = one_operand, .is_functional = true, .is_versioned = true, .infer = infer_same},
};

/// Definitions of operators whose operands are broadcast to one shape.
inline constexpr operator_definition pairwise[] = {
    {.name = "onnx.Add", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Mul", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.And", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Or", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Xor", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.BitwiseAnd", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.BitwiseOr", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.BitwiseXor", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.BitShift", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Sub", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Div", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Mod", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Pow", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.com.microsoft.BiasGelu", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "onnx.Equal", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_truth},
    {.name = "onnx.Greater", .operands = two_operands, .is_functional = true, .infer = infer_truth},
    {.name = "onnx.GreaterOrEqual", .operands = two_operands, .is_functional = true, .infer = infer_truth},
    {.name = "onnx.Less", .operands = two_operands, .is_functional = true, .infer = infer_truth},
    {.name = "onnx.LessOrEqual", .operands = two_operands, .is_functional = true, .infer = infer_truth},
    {.name = "onnx.Max", .operands = several_operands, .is_commutative = true, .is_functional = true, .infer = infer_several},
    {.name = "onnx.Min", .operands = several_operands, .is_commutative = true, .is_functional = true, .infer = infer_several},
    {.name = "onnx.Mean", .operands = several_operands, .is_commutative = true, .is_functional = true, .infer = infer_several},
    {.name = "onnx.Sum", .operands = several_operands, .is_commutative = true, .is_functional = true, .infer = infer_several},
    {.name = "onnx.Where", .operands = where_operands, .is_functional = true, .infer = infer_where},
};

}  // namespace baton::onnx::definitions
