// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that compute one element for each element of their first operand.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

namespace baton::definitions {

inline constexpr operand_definition one_operand[] = {{"input"}};
inline constexpr operand_definition prelu_operands[] = {{"input"}, {"alpha"}};
inline constexpr operand_definition cumsum_operands[] = {{"input"}, {"axis"}};
inline constexpr operand_definition reverse_operands[] = {{"input"}, {"axis"}};
inline constexpr operand_definition reverse_sequence_operands[] = {{"input"}, {"lengths"}};
inline constexpr operand_definition table_operands[] = {{"input"}, {"table"}};
inline constexpr operand_definition added_operands[] = {{"inputs", operand_definition::presence::repeated}};

constexpr void infer_softmax(inference& node) {
  if (node.type(0) == dtype::float32) node.set_type(0, dtype::float32);
  return infer_same_shape(node);
}
/// Infers the output of `baton.lookup`, which has the shape of the input and the type of the table. The table has one element for each of
/// the 256 possible values of an input element.
constexpr void infer_table(inference& node) {
  const auto elements = element_count(node.shape(1));
  if (elements >= 0 && elements != 256) return node.fail({"the table has ", elements, " elements and needs 256"});
  node.set_output(0, node.type(1), inferred_shape(node.shape(0)));
}
/// Infers a float32 output with the shape of the input (`lite/kernels/dequantize.cc`).
constexpr void infer_dequantize(inference& node) { node.set_output(0, dtype::float32, inferred_shape(node.shape(0))); }

/// Infers the output of PyTorch's functions of real numbers. The output has the shape of the input. A floating-point or complex input dtype
/// is also the output dtype; for any other input dtype, the output dtype is not inferred.
constexpr void infer_real(inference& node) {
  set_type_if_real(node, node.type(0));
  return infer_same_shape(node);
}

/// Definitions of operators that compute one element for each element of their first operand.
inline constexpr operator_definition unary[] = {
    {.name = "aten.relu.default", .operands = one_operand, .infer = infer_same},
    {.name = "aten.neg.default", .operands = one_operand, .infer = infer_same},
    {.name = "aten.clone.default", .operands = one_operand, .infer = infer_same},
    {.name = "aten.clamp.default", .operands = one_operand, .infer = infer_real},
    {.name = "aten.sin.default", .operands = one_operand, .infer = infer_real},
    {.name = "aten.cos.default", .operands = one_operand, .infer = infer_real},
    {.name = "aten.tan.default", .operands = one_operand, .infer = infer_real},
    {.name = "aten.tanh.default", .operands = one_operand, .infer = infer_real},
    {.name = "aten.sigmoid.default", .operands = one_operand, .infer = infer_real},
    {.name = "aten.softmax.int", .operands = one_operand, .infer = infer_real},
    {.name = "tfl.abs", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.ceil", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.cos", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.elu", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.exp", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.fake_quant", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.floor", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.gelu", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.hard_swish", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.l2_normalization", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.leaky_relu", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.local_response_normalization", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.log", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.logical_not", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.logistic", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.neg", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.relu", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.relu6", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.relu_0_to_1", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.relu_n1_to_1", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.round", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.rsqrt", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.sign", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.sin", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.sqrt", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.square", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.tanh", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.zeros_like", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.softmax", .operands = one_operand, .infer = infer_softmax},
    {.name = "baton.softmax", .operands = one_operand, .infer = infer_same},
    {.name = "tfl.log_softmax", .operands = one_operand, .infer = infer_softmax},
    {.name = "baton.lookup", .operands = table_operands, .infer = infer_table},
    {.name = "baton.quantize", .operands = one_operand, .infer = infer_same_shape},
    {.name = "tfl.quantize", .operands = one_operand, .infer = infer_same_shape},
    {.name = "tfl.cast", .operands = one_operand, .infer = infer_same_shape},
    {.name = "tfl.dequantize", .operands = one_operand, .infer = infer_dequantize},
    {.name = "tfl.prelu", .operands = prelu_operands, .infer = infer_same},
    {.name = "tfl.cumsum", .operands = cumsum_operands, .infer = infer_same},
    {.name = "tfl.reverse_v2", .operands = reverse_operands, .infer = infer_same},
    {.name = "tfl.reverse_sequence", .operands = reverse_sequence_operands, .infer = infer_same},
    {.name = "tfl.add_n", .operands = added_operands, .infer = infer_same},
};

}  // namespace baton::definitions
