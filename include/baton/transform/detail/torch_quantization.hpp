// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces the quantization of torch.export: scales and zero points become the quantization of values.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_quantization.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_quantization.hpp>
#include <baton/transform/detail/value_quantization.hpp>

namespace baton::detail {

/// Returns the quantization whose scale is operand 1, a float32 constant, and whose zero point is operand 2, an integer constant. Refuses
/// the node (the pass then fails with `unsupported_operator`) if one of these operands does not meet its condition.
constexpr auto quantization_of_tensors(emission& emitter) -> quantization {
  const bool is_wide = emitter.record(emitter.operand(2)).type == dtype::int64;
  auto result = quantization_of(emitter, emitter.operand(1), is_wide ? none<value_id> : emitter.operand(2), 0);
  if (!is_wide || emitter.is_refused()) return result;
  if (!emitter.is_data(emitter.operand(2)) || result.channels != 1 || emitter.record(emitter.operand(2)).data.size != 8)
    emitter.refuse("the zero point is not a constant number");
  result.zero_points = emitter.settled(emitter.operand(2));
  return result;
}
/// Replaces `quantized_decomposed.quantize_per_tensor.tensor` (input, scale, zero point, range, type).
constexpr void emit_torch_quantize_by_tensors(emission& emitter) {
  if (!has_whole_range(emitter, emitter.output_type().type)) return;
  const auto in = emitter.in(0);
  const auto by = quantization_of_tensors(emitter);
  if (emitter.is_refused()) return;
  quantize(emitter, emitter.output(), by);
  if (!emitter.is_refused()) emitter.finish("baton.quantize", {in}, {{"by", "reciprocal"}});
}
constexpr void emit_torch_dequantize_by_tensors(emission& emitter) {
  const auto in = emitter.is_constant(emitter.operand(0)) ? emitter.operand(0) : emitter.in(0);
  const auto by = quantization_of_tensors(emitter);
  if (emitter.is_refused()) return;
  quantize_source(emitter, in, by);
  if (!emitter.is_refused()) emitter.finish("tfl.dequantize", {in});
}

/// The rows (`legalization_row`) of operators that quantize or dequantize. PyTorch multiplies by the reciprocal of the scale and rounds
/// half to even (torch/ao/quantization/fx/_decomposed.py).
inline constexpr legalization_row torch_quantization[] = {
    {"quantized_decomposed.quantize_per_tensor.default", layout_rule::same, emit_quantize_per_tensor},
    {"quantized_decomposed.quantize_per_tensor.tensor", layout_rule::same, emit_torch_quantize_by_tensors, 3},
    {"quantized_decomposed.dequantize_per_tensor.default", forwarding, emit_dequantize_per_tensor},
    {"quantized_decomposed.dequantize_per_tensor.tensor", forwarding, emit_torch_dequantize_by_tensors, 3},
    {"quantized_decomposed.dequantize_per_channel.default", forwarding, emit_dequantize_per_channel, 2},
};

}  // namespace baton::detail
