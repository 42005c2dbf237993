// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ExecuTorch's operators that compute each element from the elements at the same position, and softmax.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/executorch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>

namespace baton::executorch::definitions {

inline constexpr operand_definition where_operands[] = {{"condition"}, {"self"}, {"other"}};
inline constexpr operand_definition masked_operands[] = {{"self"}, {"mask"}};
inline constexpr operand_definition bounded_operands[] = {{"self"}, {"min", optional}, {"max", optional}};
inline constexpr operand_definition channel_operands[] = {{"input"}, {"scales"}, {"zero_points"}};

constexpr void infer_where(inference& node) {
  node.set_type(0, node.type(1));
  const ordered_tensors tensors(node);
  const auto condition = tensors.shape(0), a = tensors.shape(1), b = tensors.shape(2);
  inferred_shape both, all;
  if (!condition.has_rank || !a.has_rank || !b.has_rank) return;
  if (!broadcast(a.view(), b.view(), both)) return node.fail({"the shapes of operands 1 and 2 cannot be broadcast"});
  if (!broadcast(condition.view(), both.view(), all)) return node.fail({"the shape of the condition does not match operands 1 and 2"});
  tensors.set_output_shape(all);
}

/// Sets the shape of the output to the broadcast shape of the input and the bounds.
constexpr void set_bounded(inference& node) {
  const ordered_tensors tensors(node);
  auto shape = tensors.shape(0);
  for (std::size_t i = 1; i < 3 && shape.has_rank; ++i) {
    if (!node.has(i)) continue;
    const auto bound = tensors.shape(i);
    inferred_shape both;
    if (!bound.has_rank) return;
    if (!broadcast(shape.view(), bound.view(), both)) return node.fail({"the shapes of operands 0 and ", i, " cannot be broadcast"});
    shape = both;
  }
  tensors.set_output_shape(shape);
}
constexpr void infer_bounded(inference& node) {
  node.set_type(0, node.type(0));
  return set_bounded(node);
}

/// Definitions of operators that compute each element from the elements at the same position, and of softmax.
inline constexpr operator_definition elementwise[] = {
    {.name = "aten.relu.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.sigmoid.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.tanh.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.gelu.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.sin.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.cos.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.exp.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.sqrt.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.rsqrt.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.abs.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.neg.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.log.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.floor.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.ceil.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.round.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.reciprocal.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.erf.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.hardtanh.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.leaky_relu.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.elu.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.logical_not.out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten._softmax.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten._log_softmax.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.bitwise_not.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.sign.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.add.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.sub.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.mul.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.div.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.remainder.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.pow.Tensor_Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.clamp.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.full_like.out", .operands = one_operand, .is_functional = true, .infer = infer_same_shape},
    {.name = "aten.clone.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten._to_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_same_shape},
    {.name = "aten.eq.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.ne.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.lt.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.le.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.gt.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.ge.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.expm1.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.log1p.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.log2.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.log10.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.tan.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.sinh.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.cosh.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.trunc.out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.rsub.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.pow.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.fmod.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.div.Scalar_mode_out", .operands = one_operand, .is_functional = true, .infer = infer_same_type_and_shape},
    {.name = "aten.isnan.out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.isinf.out", .operands = one_operand, .is_functional = true, .infer = infer_boolean},
    {.name = "aten.remainder.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.fmod.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.floor_divide.out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.div.out_mode", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.bitwise_and.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.bitwise_or.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.bitwise_xor.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.masked_fill.Scalar_out", .operands = masked_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.clamp.Tensor_out", .operands = bounded_operands, .is_functional = true, .infer = infer_bounded},
    {.name = "aten.add.out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.sub.out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.mul.out", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.div.out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.maximum.out",
     .operands = two_operands,
     .is_commutative = true,
     .is_functional = true,
     .infer = infer_elementwise_binary},
    {.name = "aten.minimum.out",
     .operands = two_operands,
     .is_commutative = true,
     .is_functional = true,
     .infer = infer_elementwise_binary},
    {.name = "aten.pow.Tensor_Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_elementwise_binary},
    {.name = "aten.eq.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.ne.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.lt.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.le.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.gt.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.ge.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.logical_and.out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.logical_or.out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.logical_xor.out", .operands = two_operands, .is_functional = true, .infer = infer_boolean_pair},
    {.name = "aten.where.self_out", .operands = where_operands, .is_functional = true, .infer = infer_where},
    {.name = "quantized_decomposed.quantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_same_shape},
    {.name = "quantized_decomposed.dequantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_dequantized},
    {.name = "quantized_decomposed.quantize_per_channel.out",
     .operands = channel_operands,
     .is_functional = true,
     .infer = infer_same_shape},
    {.name = "quantized_decomposed.dequantize_per_channel.out",
     .operands = channel_operands,
     .is_functional = true,
     .infer = infer_dequantized},
};

}  // namespace baton::executorch::definitions
