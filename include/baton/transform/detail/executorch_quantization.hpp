// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's quantization: scales and zero points become the quantization of values. Comments list the arguments of an operator
// in parentheses after its name, in order.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/onnx_quantization.hpp>
#include <baton/transform/detail/value_quantization.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Returns the quantization whose scale is argument 1 and whose zero point is argument 2. Scales are float32 in ExecuTorch's kernels.
constexpr auto quantization_of_arguments(emission& emitter) -> quantization {
  const auto scale = static_cast<float>(emitter.real("arg_1"));
  text_buffer scales, zero_points;
  append_little_endian(scales, std::bit_cast<std::uint32_t>(scale), 4);
  append_little_endian(zero_points, static_cast<std::uint64_t>(emitter.integer("arg_2")), 8);
  return {.scales = emitter.own(view(scales)), .zero_points = emitter.own(view(zero_points)), .channels = 1};
}
/// True if the bounds, arguments 3 and 4, are the whole range of `type`, which must be int8, uint8 or int16. Otherwise, refuses the node
/// (the pass then fails with `unsupported_operator`).
constexpr auto has_whole_range(emission& emitter, dtype type) -> bool {
  const auto lower = type == dtype::int8 ? INT8_MIN : type == dtype::int16 ? INT16_MIN : 0;
  const auto upper = type == dtype::int8 ? INT8_MAX : type == dtype::int16 ? INT16_MAX : type == dtype::uint8 ? UINT8_MAX : -1;
  const bool is_whole = emitter.integer("arg_3") == lower && emitter.integer("arg_4") == upper;
  if (!is_whole)
    emitter.refuse("quantization to ", facts(type).name, " with the range ", emitter.integer("arg_3"), " to ", emitter.integer("arg_4"),
                   " is not supported; the type must be int8, uint8 or int16 with its whole range");
  return is_whole;
}

/// Replaces `quantize_per_tensor.out` (input, scale, zero point, range, type). The input is multiplied by the reciprocal of the scale and
/// rounded half to even (kernels/quantized/cpu/op_quantize.cpp).
constexpr void emit_quantize_per_tensor(emission& emitter) {
  if (!has_whole_range(emitter, emitter.output_type().type)) return;
  const auto in = emitter.in(0);
  quantize(emitter, emitter.output(), quantization_of_arguments(emitter));
  if (emitter.is_refused()) return;
  emitter.finish("baton.quantize", {in}, {{"by", "reciprocal"}});
}
/// Replaces `dequantize_per_tensor.out` (input, scale, zero point, range, type). The range has no effect.
constexpr void emit_dequantize_per_tensor(emission& emitter) {
  const auto in = emitter.is_constant(emitter.operand(0)) ? emitter.operand(0) : emitter.in(0);
  quantize_source(emitter, in, quantization_of_arguments(emitter));
  if (emitter.is_refused()) return;
  emitter.finish("tfl.dequantize", {in});
}

/// Replaces `dequantize_per_channel.out` of a constant (input, scales, zero points, dimension, range, type). Zero points are int64, or
/// int32 if a quantizer derived the scales from the scales of other tensors.
constexpr void emit_dequantize_per_channel(emission& emitter) {
  const auto in = emitter.operand(0);
  const auto scales = emitter.operand(1), zero_points = emitter.operand(2);
  const auto type = emitter.stored_type(in);
  const auto axis = inference::dimension(emitter.integer("arg_3"), type.rank);
  if (!emitter.is_data(in) || !emitter.is_data(scales) || (zero_points != none<value_id> && !emitter.is_data(zero_points)))
    return emitter.refuse("the weights, scales or zero points are not constants");
  const auto count = axis == type.rank ? 0 : type.sizes[axis];
  const bool is_wide = zero_points != none<value_id> && emitter.record(zero_points).type == dtype::int64;
  const bool fits = emitter.record(scales).type == dtype::float32 &&
                    emitter.record(scales).data.size == static_cast<std::uint64_t>(4 * count) &&
                    (!is_wide || emitter.record(zero_points).data.size == static_cast<std::uint64_t>(8 * count));
  if (!fits || count == 0)
    return emitter.refuse("the float32 scales and integer zero points do not have one element for each index of dimension ",
                          emitter.integer("arg_3"));
  auto by = quantization_of(emitter, scales, is_wide ? none<value_id> : zero_points, static_cast<std::int64_t>(axis));
  if (is_wide) by.zero_points = emitter.record(zero_points).data;
  if (!emitter.is_refused()) quantize(emitter, in, by);
  if (!emitter.is_refused()) emitter.finish("tfl.dequantize", {in});
}

/// Returns element `at` of a constant operand of type float64 or float32, as a float.
constexpr auto scale_of_channel(emission& emitter, std::size_t operand, std::size_t at) -> float {
  if (emitter.record(emitter.operand(operand)).type == dtype::float32) return emitter.real_element(operand, at, 1);
  const auto bytes = emitter.program().data(emitter.record(emitter.operand(operand)).data);
  std::uint64_t bits = 0;
  for (std::size_t b = 8; b-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[8 * at + b]);
  return static_cast<float>(std::bit_cast<double>(bits));
}
/// Replaces `quantize_per_channel.out` (input, scales, zero points, dimension, range, type). The input is multiplied by the reciprocals of
/// the scales in float32 and rounded half to even. The zero points are added, and the sums are limited to the range
/// (kernels/quantized/cpu/op_quantize.cpp).
constexpr void emit_quantize_per_channel(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.operand_in_file_layout(0);
  const auto type = emitter.stored_type(x);
  const auto axis = inference::dimension(emitter.integer("arg_3"), type.rank);
  const auto scales = emitter.operand(1);
  const auto zero_points = emitter.integers(2);
  const auto of_scales = emitter.record(scales).type;
  const auto count = axis == type.rank ? 0 : static_cast<std::size_t>(type.sizes[axis]);
  const bool fits = emitter.is_data(scales) && (of_scales == dtype::float32 || of_scales == dtype::float64) && count != 0 &&
                    emitter.record(scales).data.size == count * facts(of_scales).bits / 8u && zero_points.are_known &&
                    zero_points.count == count;
  if (!fits)
    return emitter.refuse("the scales or zero points are not constants with one element for each index of dimension ",
                          emitter.integer("arg_3"));
  vector<float> factors, offsets;
  for (std::size_t c = 0; c < count; ++c) {
    factors.push_back(1.0F / scale_of_channel(emitter, 1, c));
    offsets.push_back(static_cast<float>(zero_points[c]));
  }
  auto shape = tensor(dtype::float32);
  shape.rank = type.rank;
  for (std::size_t d = 0; d < type.rank; ++d) shape.sizes[d] = d == axis ? type.sizes[d] : 1;
  expression f(emitter, type, {});
  const auto steps = f.call("rounded", "tfl.round", {f.mul("steps", x, emitter.real_constant("factors", factors, shape))});
  const auto moved = f.add("moved", steps, emitter.real_constant("zero_points", offsets, shape));
  const auto raised = f.call("raised", "tfl.maximum", {moved, f.number("lower", static_cast<double>(emitter.integer("arg_4")))});
  emitter.finish("tfl.cast",
                 {f.call("limited", "tfl.minimum", {raised, f.number("upper", static_cast<double>(emitter.integer("arg_5")))})});
}

/// The rows (`legalization_row`) of operators that quantize or dequantize.
inline constexpr legalization_row executorch_quantization[] = {
    {"cortex_m.quantize_per_tensor.out", fixed_if_reordered<layout_rule::same>, in_one_order<emit_quantize_per_tensor>},
    {"cortex_m.dequantize_per_tensor.out", fixed_if_reordered<forwarding>, in_one_order<emit_dequantize_per_tensor>},
    {"quantized_decomposed.quantize_per_tensor.out", fixed_if_reordered<layout_rule::same>, in_one_order<emit_quantize_per_tensor>},
    {"quantized_decomposed.dequantize_per_tensor.out", fixed_if_reordered<forwarding>, in_one_order<emit_dequantize_per_tensor>},
    {"quantized_decomposed.quantize_per_channel.out", layout_rule::fixed, in_identity_order<emit_quantize_per_channel>, 3},
    {"quantized_decomposed.dequantize_per_channel.out", forwarding, in_identity_order<emit_dequantize_per_channel>, 2},
};

}  // namespace baton::detail
