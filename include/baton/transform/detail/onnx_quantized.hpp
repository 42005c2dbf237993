// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces a quantized ONNX operator by nodes that dequantize the operands, compute in float32, and quantize the output. Comments list the
// operands of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_layers.hpp>
#include <baton/transform/detail/onnx_moves.hpp>
#include <baton/transform/detail/onnx_pools.hpp>
#include <baton/transform/detail/onnx_quantization.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Returns operand `at`, dequantized by the scale and zero point in the next two operands. `axis` is the channel dimension if there are
/// several scales. The result has the channels last if `how` is `image`, and the layout of the node's output if `how` is `same`.
/// Otherwise, the result has the layout of the operand. A constant keeps its layout.
constexpr auto dequantized(emission& emitter, std::size_t at, layout_rule how, std::int64_t axis = 0) -> value_id {
  const auto id = emitter.operand(at);
  if (id == none<value_id>) return emitter.refuse("operand ", at, " is missing"), id;
  const auto by = quantization_of(emitter, emitter.operand(at + 1), emitter.operand(at + 2), axis);
  if (emitter.is_refused()) return id;
  auto in = id;
  value_layout to{.is_constant = true};
  if (emitter.is_constant(id)) {
    quantize(emitter, id, by);
  } else {
    quantize_source(emitter, id, by);
    if (how == layout_rule::image) in = emitter.channels_last_operand(at);
    if (how == layout_rule::same) in = emitter.in(at);
    to = emitter.layout(in);
  }
  auto type = emitter.stored_type(in);
  type.type = dtype::float32;
  return emitter.add(view(join("dequantized_", at)), "tfl.dequantize", {in}, type, {}, to);
}
/// Returns the int32 bias in operand `at`, dequantized by the product of `factor` and the scales of operands `input` and `weights`. The
/// scale of an operand is in the operand after it. Returns `none` if the bias is omitted.
constexpr auto dequantized_bias(emission& emitter, std::size_t at, std::size_t input, std::size_t weights, float factor = 1) -> value_id {
  if (!emitter.has(at) || emitter.is_refused()) return none<value_id>;
  const auto id = emitter.operand(at);
  if (!emitter.is_data(id)) return emitter.refuse("the bias is not a constant"), id;
  const auto scales = emitter.record(emitter.operand(weights + 1)).data.size / 4;
  if (scales != 1 && static_cast<std::int64_t>(scales) != element_count(emitter.stored_type(id).shape())) {
    return emitter.refuse("the bias has ", element_count(emitter.stored_type(id).shape()), " elements, but the weights have ", scales,
                          " scales"),
           id;
  }
  text_buffer bytes;
  for (std::size_t c = 0; c < scales; ++c) {
    const auto scale = factor * emitter.real_element(input + 1, 0, 1) * emitter.real_element(weights + 1, c, 1);
    append_little_endian(bytes, std::bit_cast<std::uint32_t>(scale), 4);
  }
  auto type = emitter.stored_type(id);
  const auto copy = emitter.constant("bias", type, "");  // another layer with other scales may use the same bias
  emitter.value_at(copy).data = emitter.record(id).data;
  const auto packed = emitter.own(view(bytes));
  emitter.value_at(copy).quant = {.scales = packed,
                                  .channels = static_cast<std::uint32_t>(scales),
                                  .axis = type.rank == 0 ? 0 : static_cast<std::int32_t>(type.rank) - 1};
  type.type = dtype::float32;
  return emitter.add("dequantized_bias", "tfl.dequantize", {copy}, type, {}, {.is_constant = true});
}

/// Emits the node in float32: calls `emit` with `operands`, and quantizes the output. The scale of the output is operand `scale`, and the
/// zero point of the output is operand `scale + 1`. If the node has no operand `scale`, the output must be float32 and is not quantized.
constexpr void emit_in_float(emission& emitter, const vector<value_id>& operands, std::size_t scale, void (*emit)(emission&)) {
  if (emitter.is_refused()) return;
  if (!emitter.has(scale)) {  // `QGemm` without a scale has a float32 output
    if (emitter.output_type().type != dtype::float32) return emitter.refuse("the scale of the output is missing");
    emitter.set_operands(operands);
    return emit(emitter);
  }
  const auto by = quantization_of(emitter, emitter.operand(scale), emitter.operand(scale + 1), 0);
  if (emitter.is_refused()) return;
  quantize(emitter, emitter.output(), by);
  auto type = emitter.output_type();
  type.type = dtype::float32;
  emitter.begin_inner("float", type, emitter.layout(emitter.output()));
  emitter.set_operands(operands);
  emit(emitter);
  emitter.end_inner("quantize", "baton.quantize");
}

/// Replaces `onnx.QLinearConv` (x and w, each with scale and zero point; scale and zero point of y; bias).
constexpr void emit_qlinear_conv(emission& emitter) {
  const auto x = dequantized(emitter, 0, layout_rule::image), w = dequantized(emitter, 3, layout_rule::flexible_operand_0);
  emit_in_float(emitter, {x, w, dequantized_bias(emitter, 8, 0, 3)}, 6, emit_conv);
}
/// Replaces `onnx.QLinearMatMul` (a and b, each with scale and zero point; scale and zero point of y).
constexpr void emit_qlinear_matmul(emission& emitter) {
  const auto a = dequantized(emitter, 0, layout_rule::flexible_operand_0), b = dequantized(emitter, 3, layout_rule::flexible_operand_0, 1);
  emit_in_float(emitter, {a, b}, 6, emit_matmul);
}
/// Replaces `onnx.com.microsoft.QGemm` (A and B, each with scale and zero point; C; scale and zero point of Y). The scale of C is the
/// product of alpha and the scales of A and B.
constexpr void emit_qgemm(emission& emitter) {
  const auto a = dequantized(emitter, 0, layout_rule::flexible_operand_0),
             b = dequantized(emitter, 3, layout_rule::flexible_operand_0, emitter.integer("transB") != 0 ? 0 : 1);
  emit_in_float(emitter, {a, b, dequantized_bias(emitter, 6, 0, 3, static_cast<float>(emitter.real("alpha", 1)))}, 7, emit_gemm);
}
/// Replaces an operator with one input (x with scale and zero point; scale and zero point of y). `Emit` emits the float32 operator.
template <void (*Emit)(emission&), layout_rule How = layout_rule::same>
constexpr void emit_qlinear_unary(emission& emitter) {
  emit_in_float(emitter, {dequantized(emitter, 0, How)}, 3, Emit);
}
/// Replaces an operator with two inputs (a and b, each with scale and zero point; scale and zero point of y). `Emit` emits the float32
/// operator.
template <void (*Emit)(emission&)>
constexpr void emit_qlinear_pair(emission& emitter) {
  const auto a = dequantized(emitter, 0, layout_rule::same), b = dequantized(emitter, 3, layout_rule::same);
  emit_in_float(emitter, {a, b}, 6, Emit);
}
/// Replaces `onnx.com.microsoft.QLinearConcat` (scale and zero point of y; each input with scale and zero point).
constexpr void emit_qlinear_concat(emission& emitter) {
  vector<value_id> operands;
  for (std::size_t at = 2; at + 1 < emitter.operand_count(); at += 3) operands.push_back(dequantized(emitter, at, layout_rule::same));
  emit_in_float(emitter, operands, 0, emit_concat);
}

/// The rows (`legalization_row`) of quantized operators.
inline constexpr legalization_row onnx_quantized[] = {
    {"onnx.QLinearConv", layout_rule::image, emit_qlinear_conv, 8},
    {"onnx.QLinearMatMul", matrix_product_layout_rule<3>, emit_qlinear_matmul, 8},
    {"onnx.com.microsoft.QGemm", matrix_product_layout_rule<3>, emit_qgemm, 6},
    {"onnx.com.microsoft.QLinearAdd", elementwise, emit_qlinear_pair<emit_arithmetic<"tfl.add">>, 2},
    {"onnx.com.microsoft.QLinearMul", elementwise, emit_qlinear_pair<emit_arithmetic<"tfl.mul">>, 2},
    {"onnx.com.microsoft.QLinearSigmoid", elementwise, emit_qlinear_unary<emit_unary<"tfl.logistic">>, 2},
    {"onnx.com.microsoft.QLinearLeakyRelu", elementwise, emit_qlinear_unary<emit_leaky_relu>, 2},
    {"onnx.com.microsoft.QLinearSoftmax", softmax_layout_rule_of, emit_qlinear_unary<emit_softmax>, 2},
    {"onnx.com.microsoft.QLinearAveragePool", layout_rule::image, emit_qlinear_unary<emit_pool<false>, layout_rule::image>, 2},
    {"onnx.com.microsoft.QLinearGlobalAveragePool", layout_rule::image, emit_qlinear_unary<emit_global_pool<false>, layout_rule::image>, 2},
    {"onnx.com.microsoft.QLinearConcat", along_axis, emit_qlinear_concat, 4},
};

}  // namespace baton::detail
