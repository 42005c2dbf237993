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

/// Returns the quantization that operands 1 and 2 describe: a float32 number, and an integer.
constexpr auto quantization_of_tensors(emission& to) -> quantization {
  const bool is_wide = to.record(to.operand(2)).type == dtype::int64;
  auto result = quantization_of(to, to.operand(1), is_wide ? none<value_id> : to.operand(2), 0);
  if (!is_wide || to.is_refused()) return result;
  if (!to.is_data(to.operand(2)) || result.channels != 1 || to.record(to.operand(2)).data.size != 8)
    to.refuse("the zero point is not a constant number");
  result.zero_points = to.settled(to.operand(2));
  return result;
}
/// `quantized_decomposed.quantize_per_tensor.tensor`: input, scale and zero point, range and type.
constexpr void emit_torch_quantize_by_tensors(emission& to) {
  if (!has_whole_range(to, to.output_type().type)) return;
  const auto in = to.in(0);
  const auto by = quantization_of_tensors(to);
  if (to.is_refused()) return;
  quantize(to, to.output(), by);
  if (!to.is_refused()) to.finish("baton.quantize", {in}, {{"by", "reciprocal"}});
}
constexpr void emit_torch_dequantize_by_tensors(emission& to) {
  const auto in = to.is_constant(to.operand(0)) ? to.operand(0) : to.in(0);
  const auto by = quantization_of_tensors(to);
  if (to.is_refused()) return;
  quantize_source(to, in, by);
  if (!to.is_refused()) to.finish("tfl.dequantize", {in});
}

/// Quantization. PyTorch multiplies by the reciprocal of the scale and rounds half to even (torch/ao/quantization/fx/_decomposed.py).
inline constexpr legalization_row torch_quantization[] = {
    {"quantized_decomposed.quantize_per_tensor.default", manner::same, emit_quantize_per_tensor},
    {"quantized_decomposed.quantize_per_tensor.tensor", manner::same, emit_torch_quantize_by_tensors, 3},
    {"quantized_decomposed.dequantize_per_tensor.default", forwarding, emit_dequantize_per_tensor},
    {"quantized_decomposed.dequantize_per_tensor.tensor", forwarding, emit_torch_dequantize_by_tensors, 3},
    {"quantized_decomposed.dequantize_per_channel.default", forwarding, emit_dequantize_per_channel, 2},
};

}  // namespace baton::detail
