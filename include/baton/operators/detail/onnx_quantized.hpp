// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX operators on quantized tensors: quantization, and the operators whose operands are integers, scales and zero points.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/joining.hpp>
#include <baton/operators/detail/onnx_layers.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

// Operators of the domain com.microsoft follow docs/ContribOperators.md and the shape inference of ONNX Runtime 1.31.
namespace baton::onnx::definitions {

inline constexpr operand_definition quantize_operands[] = {{"x"}, {"y_scale"}, {"y_zero_point", optional}};
inline constexpr operand_definition dequantize_operands[] = {{"x"}, {"x_scale"}, {"x_zero_point", optional}};
inline constexpr operand_definition integer_convolution_operands[] = {{"x"}, {"w"}, {"x_zero_point", optional}, {"w_zero_point", optional}};
inline constexpr operand_definition integer_product_operands[] = {{"A"}, {"B"}, {"a_zero_point", optional}, {"b_zero_point", optional}};
inline constexpr operand_definition quantized_convolution_operands[] = {
    {"x"}, {"x_scale"}, {"x_zero_point"}, {"w"}, {"w_scale"}, {"w_zero_point"}, {"y_scale"}, {"y_zero_point"}, {"B", optional}};
inline constexpr operand_definition quantized_product_operands[] = {{"a"},       {"a_scale"},      {"a_zero_point"}, {"b"},
                                                                    {"b_scale"}, {"b_zero_point"}, {"y_scale"},      {"y_zero_point"}};
inline constexpr operand_definition quantized_gemm_operands[] = {{"A"},           {"a_scale"},           {"a_zero_point"},
                                                                 {"B"},           {"b_scale"},           {"b_zero_point"},
                                                                 {"C", optional}, {"y_scale", optional}, {"y_zero_point", optional}};
inline constexpr operand_definition quantized_pair_operands[] = {{"A"},
                                                                 {"A_scale"},
                                                                 {"A_zero_point", optional},
                                                                 {"B"},
                                                                 {"B_scale"},
                                                                 {"B_zero_point", optional},
                                                                 {"C_scale"},
                                                                 {"C_zero_point", optional}};
inline constexpr operand_definition quantized_unary_operands[] = {
    {"X"}, {"x_scale"}, {"x_zero_point", optional}, {"y_scale"}, {"y_zero_point", optional}};
// Only the first four operands are listed. The zero point of X follows, and then the other tensors, each with its scale and its zero point.
// The zero point of the last tensor may be omitted.
inline constexpr operand_definition quantized_concat_operands[] = {{"Y_scale"}, {"Y_zero_point"}, {"X"}, {"X_scale"}};

/// Infers an output with the type of the zero point. If the zero point is omitted, `output_dtype` names the type; the default is uint8.
constexpr void infer_quantize(inference& node) {
  if (node.has(2)) node.set_type(0, node.type(2));
  if (!node.has(2)) set_named_type(node, "output_dtype", dtype::uint8);
  node.set_shape(0, inferred_shape(node.shape(0)));
}
/// Infers an output with the type that `output_dtype` names; the default is the type of the scale.
constexpr void infer_dequantize(inference& node) {
  set_named_type(node, "output_dtype", node.type(1));
  node.set_shape(0, inferred_shape(node.shape(0)));
}
/// Infers three outputs: the quantized values (uint8), their scale (float32) and their zero point (uint8).
constexpr void infer_dynamic_quantize(inference& node) {
  node.set_output(0, dtype::uint8, inferred_shape(node.shape(0)));
  node.set_output(1, dtype::float32, {});
  node.set_output(2, dtype::uint8, {});
}
constexpr void infer_quantized_conv(inference& node) {
  node.set_type(0, node.type(7));
  return set_convolution(node, 0, 3);
}
constexpr void infer_quantized_matmul(inference& node) {
  node.set_type(0, node.type(7));
  return set_stacked_product(node, 0, 3);
}
/// Infers an output with the type of the output's zero point. If the zero point is omitted, the type is that of A. If the output's scale is
/// omitted, too, the type is float32.
constexpr void infer_quantized_gemm(inference& node) {
  node.set_type(0, node.has(8) ? node.type(8) : node.has(7) ? node.type(0) : dtype::float32);
  return set_matrix_product(node, 0, 3);
}
constexpr void infer_quantized_pair(inference& node) {
  node.set_type(0, node.type(0));
  return set_broadcast(node, 0, 3);
}
/// Infers the output of a quantized pool. If `channels_last` is set, the shape is [batch, image dimensions, channels], otherwise [batch,
/// channels, image dimensions].
constexpr void infer_quantized_pool(inference& node, bool is_global) {
  if (node.integer("channels_last") == 0) return is_global ? infer_global_pool(node) : infer_pool(node);
  node.set_type(0, node.type(0));
  const auto count = image_rank(node, 0);
  const auto kernel = node.list("kernel_shape");
  if (count == 0) return;
  if (!is_global && kernel.size() != count)
    return node.fail({"kernel_shape has ", kernel.size(), " sizes, but the image has ", count, " dimensions"});
  const windows window(node, count);
  inferred_shape shape{node.size(0, 0)};
  for (std::size_t d = 0; d < count; ++d) shape.add(is_global ? 1 : window.along(d, node.size(0, d + 1), number_or(kernel, d, -1)));
  shape.add(node.size(0, count + 1));
  node.set_shape(0, shape);
}
constexpr void infer_quantized_average_pool(inference& node) { return infer_quantized_pool(node, false); }
constexpr void infer_quantized_global_pool(inference& node) { return infer_quantized_pool(node, true); }
constexpr void infer_quantized_concat(inference& node) { return baton::definitions::infer_joined(node, node.integer("axis", 1), 2, 3); }

constexpr auto work_of_quantized_conv(const program_view& program, const node& record) -> std::uint64_t {
  return work_rules::detail::each_filter(program, record, 3);
}

/// Definitions of quantization, and of the operators on quantized tensors.
inline constexpr operator_definition quantized[] = {
    {.name = "onnx.QuantizeLinear", .operands = quantize_operands, .is_functional = true, .infer = infer_quantize},
    {.name = "onnx.DequantizeLinear", .operands = dequantize_operands, .is_functional = true, .infer = infer_dequantize},
    {.name = "onnx.com.microsoft.QuantizeLinear", .operands = quantize_operands, .is_functional = true, .infer = infer_quantize},
    {.name = "onnx.com.microsoft.DequantizeLinear", .operands = dequantize_operands, .is_functional = true, .infer = infer_dequantize},
    {.name = "onnx.DynamicQuantizeLinear", .operands = one_operand, .is_functional = true, .infer = infer_dynamic_quantize},
    {.name = "onnx.ConvInteger",
     .operands = integer_convolution_operands,
     .is_functional = true,
     .infer = infer_conv_integer,
     .multiply_adds = work_rules::filter},
    {.name = "onnx.MatMulInteger",
     .operands = integer_product_operands,
     .is_functional = true,
     .infer = infer_matmul_integer,
     .multiply_adds = work_of_product},
    {.name = "onnx.QLinearConv",
     .operands = quantized_convolution_operands,
     .is_functional = true,
     .infer = infer_quantized_conv,
     .multiply_adds = work_of_quantized_conv},
    {.name = "onnx.QLinearMatMul",
     .operands = quantized_product_operands,
     .is_functional = true,
     .infer = infer_quantized_matmul,
     .multiply_adds = work_of_product},
    {.name = "onnx.com.microsoft.QGemm",
     .operands = quantized_gemm_operands,
     .is_functional = true,
     .infer = infer_quantized_gemm,
     .multiply_adds = work_of_product},
    {.name = "onnx.com.microsoft.QLinearAdd", .operands = quantized_pair_operands, .is_functional = true, .infer = infer_quantized_pair},
    {.name = "onnx.com.microsoft.QLinearMul", .operands = quantized_pair_operands, .is_functional = true, .infer = infer_quantized_pair},
    {.name = "onnx.com.microsoft.QLinearSigmoid", .operands = quantized_unary_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.com.microsoft.QLinearLeakyRelu", .operands = quantized_unary_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.com.microsoft.QLinearSoftmax", .operands = quantized_unary_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.com.microsoft.QLinearAveragePool",
     .operands = quantized_unary_operands,
     .is_functional = true,
     .infer = infer_quantized_average_pool},
    {.name = "onnx.com.microsoft.QLinearGlobalAveragePool",
     .operands = quantized_unary_operands,
     .is_functional = true,
     .infer = infer_quantized_global_pool},
    {.name = "onnx.com.microsoft.QLinearConcat",
     .operands = quantized_concat_operands,
     .is_functional = true,
     .infer = infer_quantized_concat},
};

}  // namespace baton::onnx::definitions
