// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ExecuTorch's operators that compute each element from the elements at the same position.
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

constexpr void infer_where(inference& at) {
  at.give_type(0, at.type(1));
  const ordered_tensors tensors(at);
  const auto condition = tensors.shape(0), a = tensors.shape(1), b = tensors.shape(2);
  inferred_shape both, all;
  if (!condition.has_rank || !a.has_rank || !b.has_rank) return;
  if (!broadcast(a.view(), b.view(), both)) return at.misfit({"the shapes of operands 1 and 2 differ"});
  if (!broadcast(condition.view(), both.view(), all)) return at.misfit({"the shape of the condition does not match operands 1 and 2"});
  tensors.give(all);
}

/// The output has the broadcast shape of the input and the bounds.
constexpr void give_bounded(inference& at) {
  const ordered_tensors tensors(at);
  auto shape = tensors.shape(0);
  for (std::size_t i = 1; i < 3 && shape.has_rank; ++i) {
    if (!at.has(i)) continue;
    const auto bound = tensors.shape(i);
    inferred_shape both;
    if (!bound.has_rank) return;
    if (!broadcast(shape.view(), bound.view(), both)) return at.misfit({"the shapes of operands 0 and ", i, " differ"});
    shape = both;
  }
  tensors.give(shape);
}
constexpr void infer_bounded(inference& at) {
  at.give_type(0, at.type(0));
  return give_bounded(at);
}

/// Definitions of operators that compute each element from the elements at the same position.
inline constexpr operator_definition elementwise[] = {
    {.name = "aten.relu.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.sigmoid.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.tanh.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.gelu.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.sin.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.cos.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.exp.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.sqrt.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.rsqrt.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.abs.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.neg.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.log.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.floor.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.ceil.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.round.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.reciprocal.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.erf.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.hardtanh.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.leaky_relu.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.elu.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.logical_not.out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten._softmax.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten._log_softmax.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.bitwise_not.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.sign.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.add.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.sub.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.mul.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.div.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.remainder.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.pow.Tensor_Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.clamp.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.full_like.out", .operands = one_operand, .is_functional = true, .infer = infer_shape_alike},
    {.name = "aten.clone.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten._to_copy.out", .operands = one_operand, .is_functional = true, .infer = infer_shape_alike},
    {.name = "aten.eq.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.ne.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.lt.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.le.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.gt.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.ge.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.expm1.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.log1p.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.log2.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.log10.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.tan.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.sinh.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.cosh.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.trunc.out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.rsub.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.pow.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.fmod.Scalar_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.div.Scalar_mode_out", .operands = one_operand, .is_functional = true, .infer = infer_alike},
    {.name = "aten.isnan.out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.isinf.out", .operands = one_operand, .is_functional = true, .infer = infer_test},
    {.name = "aten.remainder.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.fmod.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.floor_divide.out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.div.out_mode", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.bitwise_and.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.bitwise_or.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.bitwise_xor.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.masked_fill.Scalar_out", .operands = masked_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.clamp.Tensor_out", .operands = bounded_operands, .is_functional = true, .infer = infer_bounded},
    {.name = "aten.add.out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.sub.out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.mul.out", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_pair},
    {.name = "aten.div.out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.maximum.out", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_pair},
    {.name = "aten.minimum.out", .operands = two_operands, .is_commutative = true, .is_functional = true, .infer = infer_pair},
    {.name = "aten.pow.Tensor_Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair},
    {.name = "aten.eq.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.ne.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.lt.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.le.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.gt.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.ge.Tensor_out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.logical_and.out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.logical_or.out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.logical_xor.out", .operands = two_operands, .is_functional = true, .infer = infer_pair_test},
    {.name = "aten.where.self_out", .operands = where_operands, .is_functional = true, .infer = infer_where},
    {.name = "quantized_decomposed.quantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_shape_alike},
    {.name = "quantized_decomposed.dequantize_per_tensor.out", .operands = one_operand, .is_functional = true, .infer = infer_dequantized},
    {.name = "quantized_decomposed.quantize_per_channel.out",
     .operands = channel_operands,
     .is_functional = true,
     .infer = infer_shape_alike},
    {.name = "quantized_decomposed.dequantize_per_channel.out",
     .operands = channel_operands,
     .is_functional = true,
     .infer = infer_dequantized},
};

}  // namespace baton::executorch::definitions
