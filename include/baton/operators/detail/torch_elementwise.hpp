// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of torch.export that compute each element from the elements at the same position, and softmax, `glu` and quantization.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/detail/executorch_elementwise.hpp>
#include <baton/operators/detail/executorch_pieces.hpp>
#include <baton/operators/detail/torch_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>

namespace baton::torch::definitions {

using executorch::definitions::bounded_operands;
using executorch::definitions::infer_dequantized;
using executorch::definitions::infer_elementwise_binary;
using executorch::definitions::infer_glu;
using executorch::definitions::infer_where;
using executorch::definitions::set_bounded;

inline constexpr operand_definition choice_operands[] = {{"condition"}, {"self", optional}, {"other", optional}};
inline constexpr operand_definition masked_operands[] = {{"self"}, {"mask"}, {"value", optional}};
inline constexpr operand_definition power_operands[] = {{"exponent"}};
inline constexpr operand_definition slope_operands[] = {{"self"}, {"weight"}};
inline constexpr operand_definition scaled_operands[] = {{"input"}, {"scale"}, {"zero_point"}};
inline constexpr operand_definition channel_operands[] = {{"input"}, {"scales"}, {"zero_points", optional}};

/// Infers the output of `aten.where`. Operand 1 or 2 is absent if it is a number. Infers only the shape if operand 2 is absent, and nothing
/// if operand 1 is absent.
constexpr void infer_choice(inference& node) {
  if (node.has(1) && node.has(2)) return infer_where(node);
  if (node.has(1)) return baton::set_broadcast(node, 0, 1);
}

/// Definitions of operators that compute each element from the elements at the same position, and of softmax, `glu` and quantization.
inline constexpr operator_definition elementwise[] = {
    define("aten.relu.default", one_operand, infer_same_type_and_shape),
    define("aten.relu6.default", one_operand, infer_same_type_and_shape),
    define("aten.sigmoid.default", one_operand, infer_real),
    define("aten.log_sigmoid.default", one_operand, infer_same_type_and_shape),
    define("aten.tanh.default", one_operand, infer_real),
    define("aten.gelu.default", one_operand, infer_same_type_and_shape),
    define("aten.silu.default", one_operand, infer_same_type_and_shape),
    define("aten.mish.default", one_operand, infer_same_type_and_shape),
    define("aten.elu.default", one_operand, infer_same_type_and_shape),
    define("aten.selu.default", one_operand, infer_same_type_and_shape),
    define("aten.celu.default", one_operand, infer_same_type_and_shape),
    define("aten.softplus.default", one_operand, infer_same_type_and_shape),
    define("aten.threshold.default", one_operand, infer_same_type_and_shape),
    define("aten.leaky_relu.default", one_operand, infer_same_type_and_shape),
    define("aten.prelu.default", slope_operands, infer_same_type_and_shape),
    define("aten._prelu_kernel.default", slope_operands, infer_same_type_and_shape),
    define("aten.hardtanh.default", one_operand, infer_same_type_and_shape),
    define("aten.hardswish.default", one_operand, infer_same_type_and_shape),
    define("aten.hardsigmoid.default", one_operand, infer_same_type_and_shape),
    define("aten.sin.default", one_operand, infer_real),
    define("aten.cos.default", one_operand, infer_real),
    define("aten.tan.default", one_operand, infer_real),
    define("aten.sinh.default", one_operand, infer_real),
    define("aten.cosh.default", one_operand, infer_real),
    define("aten.exp.default", one_operand, infer_real),
    define("aten.expm1.default", one_operand, infer_real),
    define("aten.log.default", one_operand, infer_real),
    define("aten.log1p.default", one_operand, infer_real),
    define("aten.log2.default", one_operand, infer_real),
    define("aten.log10.default", one_operand, infer_real),
    define("aten.trunc.default", one_operand, infer_same_type_and_shape),
    define("aten.glu.default", one_operand, infer_glu),
    define("aten.sqrt.default", one_operand, infer_real),
    define("aten.rsqrt.default", one_operand, infer_real),
    define("aten.reciprocal.default", one_operand, infer_real),
    define("aten.erf.default", one_operand, infer_real),
    define("aten.abs.default", one_operand, infer_same_type_and_shape),
    define("aten.neg.default", one_operand, infer_same_type_and_shape),
    define("aten.sign.default", one_operand, infer_same_type_and_shape),
    define("aten.square.default", one_operand, infer_same_type_and_shape),
    define("aten.floor.default", one_operand, infer_same_type_and_shape),
    define("aten.ceil.default", one_operand, infer_same_type_and_shape),
    define("aten.round.default", one_operand, infer_same_type_and_shape),
    define("aten.isnan.default", one_operand, infer_boolean),
    define("aten.isinf.default", one_operand, infer_boolean),
    define("aten.logical_not.default", one_operand, infer_boolean),
    define("aten.bitwise_not.default", one_operand, infer_same_type_and_shape),

    define_commutative("aten.add.Tensor", number_operands, infer_promoted),
    define("aten.add.Scalar", one_operand, infer_promoted),
    define("aten.sub.Tensor", number_operands, infer_promoted),
    define("aten.sub.Scalar", one_operand, infer_promoted),
    define("aten.rsub.Tensor", number_operands, infer_promoted),
    define("aten.rsub.Scalar", one_operand, infer_promoted),
    define_commutative("aten.mul.Tensor", number_operands, infer_promoted),
    define("aten.mul.Scalar", one_operand, infer_promoted),
    define("aten.div.Tensor", number_operands, infer_promoted_to_real),
    define("aten.div.Scalar", one_operand, infer_promoted_to_real),
    define("aten.div.Tensor_mode", number_operands, infer_promoted),
    define("aten.div.Scalar_mode", one_operand, infer_promoted),
    define("aten.floor_divide.default", number_operands, infer_promoted),
    define("aten.remainder.Tensor", number_operands, infer_promoted),
    define("aten.remainder.Scalar", one_operand, infer_promoted),
    define("aten.fmod.Tensor", number_operands, infer_promoted),
    define("aten.fmod.Scalar", one_operand, infer_promoted),
    define("aten.pow.Tensor_Tensor", two_operands, infer_promoted),
    define("aten.pow.Tensor_Scalar", one_operand, infer_promoted),
    define("aten.pow.Scalar", power_operands, infer_same_shape),
    define_commutative("aten.maximum.default", two_operands, infer_promoted),
    define_commutative("aten.minimum.default", two_operands, infer_promoted),
    define("aten.clamp.default", one_operand, infer_same_shape),
    define("aten.clamp.Tensor", bounded_operands, set_bounded),
    define("aten.clamp_min.default", one_operand, infer_same_shape),
    define("aten.clamp_max.default", one_operand, infer_same_shape),

    define("aten.eq.Scalar", one_operand, infer_boolean),
    define_commutative("aten.eq.Tensor", number_operands, infer_truth),
    define("aten.ne.Scalar", one_operand, infer_boolean),
    define_commutative("aten.ne.Tensor", number_operands, infer_truth),
    define("aten.lt.Scalar", one_operand, infer_boolean),
    define("aten.lt.Tensor", number_operands, infer_truth),
    define("aten.le.Scalar", one_operand, infer_boolean),
    define("aten.le.Tensor", number_operands, infer_truth),
    define("aten.gt.Scalar", one_operand, infer_boolean),
    define("aten.gt.Tensor", number_operands, infer_truth),
    define("aten.ge.Scalar", one_operand, infer_boolean),
    define("aten.ge.Tensor", number_operands, infer_truth),
    define_commutative("aten.logical_and.default", two_operands, infer_truth),
    define_commutative("aten.logical_or.default", two_operands, infer_truth),
    define_commutative("aten.logical_xor.default", two_operands, infer_truth),
    define_commutative("aten.bitwise_and.Tensor", two_operands, infer_promoted),
    define_commutative("aten.bitwise_or.Tensor", two_operands, infer_promoted),
    define_commutative("aten.bitwise_xor.Tensor", two_operands, infer_promoted),
    define("aten.where.self", choice_operands, infer_choice),
    define("aten.where.ScalarOther", choice_operands, infer_choice),
    define("aten.where.ScalarSelf", choice_operands, infer_choice),
    define("aten.where.Scalar", choice_operands, infer_choice),
    define("aten.masked_fill.Scalar", masked_operands, infer_elementwise_binary),
    define("aten.masked_fill.Tensor", masked_operands, infer_elementwise_binary),

    define("aten.softmax.int", one_operand, infer_same_shape),
    define("aten._softmax.default", one_operand, infer_same_shape),
    define("aten.log_softmax.int", one_operand, infer_same_shape),
    define("aten._log_softmax.default", one_operand, infer_same_shape),

    define("aten._to_copy.default", one_operand, infer_same_shape),
    define("aten.to.dtype", one_operand, infer_same_shape),
    define("aten.to.dtype_layout", one_operand, infer_same_shape),
    define("aten.type_as.default", two_operands, infer_same_shape),

    define("quantized_decomposed.quantize_per_tensor.default", one_operand, infer_same_shape),
    define("quantized_decomposed.quantize_per_tensor.tensor", scaled_operands, infer_same_shape),
    define("quantized_decomposed.dequantize_per_tensor.default", one_operand, infer_dequantized),
    define("quantized_decomposed.dequantize_per_tensor.tensor", scaled_operands, infer_dequantized),
    define("quantized_decomposed.quantize_per_channel.default", channel_operands, infer_same_shape),
    define("quantized_decomposed.dequantize_per_channel.default", channel_operands, infer_dequantized),
};

}  // namespace baton::torch::definitions
