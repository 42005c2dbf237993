// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's quantization: scales and zero points become the quantization of values.
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

/// Returns the quantization of arguments 1 and 2, a scale and a zero point. Scales are float32 in ExecuTorch's kernels.
constexpr auto quantization_of_arguments(emission& to) -> quantization {
  const auto scale = static_cast<float>(to.real("arg_1"));
  text_buffer scales, zero_points;
  append_little_endian(scales, std::bit_cast<std::uint32_t>(scale), 4);
  append_little_endian(zero_points, static_cast<std::uint64_t>(to.integer("arg_2")), 8);
  return {.scales = to.own(view(scales)), .zero_points = to.own(view(zero_points)), .channels = 1};
}
/// Refuses a node whose bounds, arguments 3 and 4, are not the range of the integer type.
constexpr auto has_whole_range(emission& to, dtype type) -> bool {
  const auto lower = type == dtype::int8 ? INT8_MIN : type == dtype::int16 ? INT16_MIN : 0;
  const auto upper = type == dtype::int8 ? INT8_MAX : type == dtype::int16 ? INT16_MAX : type == dtype::uint8 ? UINT8_MAX : -1;
  const bool is_whole = to.integer("arg_3") == lower && to.integer("arg_4") == upper;
  if (!is_whole) to.refuse("the range ", to.integer("arg_3"), " to ", to.integer("arg_4"), " is not the whole range of the integers");
  return is_whole;
}

/// `quantize_per_tensor.out`: input, scale, zero point, range and type. The input is multiplied by the reciprocal of the scale and rounded
/// half to even (kernels/quantized/cpu/op_quantize.cpp).
constexpr void emit_quantize_per_tensor(emission& to) {
  if (!has_whole_range(to, to.output_type().type)) return;
  const auto in = to.in(0);
  quantize(to, to.output(), quantization_of_arguments(to));
  if (to.is_refused()) return;
  to.finish("baton.quantize", {in}, {{"by", "reciprocal"}});
}
/// `dequantize_per_tensor.out`: input, scale, zero point, range and type. The range has no effect.
constexpr void emit_dequantize_per_tensor(emission& to) {
  const auto in = to.is_constant(to.operand(0)) ? to.operand(0) : to.in(0);
  quantize_source(to, in, quantization_of_arguments(to));
  if (to.is_refused()) return;
  to.finish("tfl.dequantize", {in});
}

/// `dequantize_per_channel.out` of a constant: input, scales, zero points, dimension, range and type. Zero points are int64, or int32 if a
/// quantizer derived the scales from the scales of other tensors.
constexpr void emit_dequantize_per_channel(emission& to) {
  const auto in = to.operand(0);
  const auto scales = to.operand(1), zero_points = to.operand(2);
  const auto type = to.stored_type(in);
  const auto axis = inference::dimension(to.integer("arg_3"), type.rank);
  if (!to.is_data(in) || !to.is_data(scales) || (zero_points != none<value_id> && !to.is_data(zero_points)))
    return to.refuse("the weights, scales or zero points are not constants");
  const auto count = axis == type.rank ? 0 : type.sizes[axis];
  const bool is_wide = zero_points != none<value_id> && to.record(zero_points).type == dtype::int64;
  const bool fits = to.record(scales).type == dtype::float32 && to.record(scales).data.size == static_cast<std::uint64_t>(4 * count) &&
                    (!is_wide || to.record(zero_points).data.size == static_cast<std::uint64_t>(8 * count));
  if (!fits || count == 0)
    return to.refuse("the scales and zero points are not float32 numbers and integers for dimension ", to.integer("arg_3"));
  auto by = quantization_of(to, scales, is_wide ? none<value_id> : zero_points, static_cast<std::int64_t>(axis));
  if (is_wide) by.zero_points = to.record(zero_points).data;
  if (!to.is_refused()) quantize(to, in, by);
  if (!to.is_refused()) to.finish("tfl.dequantize", {in});
}

/// Returns number `at` of a constant operand that is float64 or float32.
constexpr auto scale_of_channel(emission& to, std::size_t operand, std::size_t at) -> float {
  if (to.record(to.operand(operand)).type == dtype::float32) return to.real_element(operand, at, 1);
  const auto bytes = to.program().data(to.record(to.operand(operand)).data);
  std::uint64_t bits = 0;
  for (std::size_t b = 8; b-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[8 * at + b]);
  return static_cast<float>(std::bit_cast<double>(bits));
}
/// `quantize_per_channel.out`: input, scales, zero points, dimension, range and type. The input is multiplied by the reciprocals of the
/// scales in float32, rounded half to even, and limited to the range (kernels/quantized/cpu/op_quantize.cpp).
constexpr void emit_quantize_per_channel(emission& to) {
  if (!has_float_operand(to)) return;
  const auto x = to.in_file(0);
  const auto type = to.stored_type(x);
  const auto axis = inference::dimension(to.integer("arg_3"), type.rank);
  const auto scales = to.operand(1);
  const auto zero_points = to.integers(2);
  const auto of_scales = to.record(scales).type;
  const auto count = axis == type.rank ? 0 : static_cast<std::size_t>(type.sizes[axis]);
  const bool fits = to.is_data(scales) && (of_scales == dtype::float32 || of_scales == dtype::float64) && count != 0 &&
                    to.record(scales).data.size == count * facts(of_scales).bits / 8u && zero_points.are_known &&
                    zero_points.count == count;
  if (!fits) return to.refuse("the scales and zero points are not constant numbers for dimension ", to.integer("arg_3"));
  vector<float> factors, offsets;
  for (std::size_t c = 0; c < count; ++c) {
    factors.push_back(1.0F / scale_of_channel(to, 1, c));
    offsets.push_back(static_cast<float>(zero_points[c]));
  }
  auto shape = tensor(dtype::float32);
  shape.rank = type.rank;
  for (std::size_t d = 0; d < type.rank; ++d) shape.sizes[d] = d == axis ? type.sizes[d] : 1;
  expression f(to, type, {});
  const auto steps = f.call("rounded", "tfl.round", {f.mul("steps", x, to.real_constant("factors", factors, shape))});
  const auto moved = f.add("moved", steps, to.real_constant("zero_points", offsets, shape));
  const auto raised = f.call("raised", "tfl.maximum", {moved, f.number("lower", static_cast<double>(to.integer("arg_4")))});
  to.finish("tfl.cast", {f.call("limited", "tfl.minimum", {raised, f.number("upper", static_cast<double>(to.integer("arg_5")))})});
}

/// Quantization.
inline constexpr legalization_row executorch_quantization[] = {
    {"cortex_m.quantize_per_tensor.out", ordered<manner::same>, in_one_order<emit_quantize_per_tensor>},
    {"cortex_m.dequantize_per_tensor.out", ordered<forwarding>, in_one_order<emit_dequantize_per_tensor>},
    {"quantized_decomposed.quantize_per_tensor.out", ordered<manner::same>, in_one_order<emit_quantize_per_tensor>},
    {"quantized_decomposed.dequantize_per_tensor.out", ordered<forwarding>, in_one_order<emit_dequantize_per_tensor>},
    {"quantized_decomposed.quantize_per_channel.out", manner::fixed, in_order<emit_quantize_per_channel>, 3},
    {"quantized_decomposed.dequantize_per_channel.out", forwarding, in_order<emit_dequantize_per_channel>, 2},
};

}  // namespace baton::detail
