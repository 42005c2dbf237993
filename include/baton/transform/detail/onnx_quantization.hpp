// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces the ONNX operators QuantizeLinear and DequantizeLinear: scales and zero points become the quantization of values.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/shared/quantize_to_even.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/value_quantization.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// True for integers of 8, 16 or 32 bits.
constexpr auto is_zero_point_type(dtype type) -> bool {
  return (type >= dtype::int8 && type <= dtype::int32) || (type >= dtype::uint8 && type <= dtype::uint32);
}

/// Returns the quantization with the scales `scale`, a float32 constant, and the zero points `zero_point`. `zero_point` is `none`, or a
/// constant with one integer of at most 32 bits for each scale. `axis` is the channel dimension. Refuses the node (the pass then fails with
/// `unsupported_operator`) if `scale` or `zero_point` does not meet these conditions.
constexpr auto quantization_of(emission& emitter, value_id scale, value_id zero_point, std::int64_t axis) -> quantization {
  quantization result;
  const auto count = scale == none<value_id> ? -1 : element_count(emitter.program().shape(scale));
  const auto& numbers = emitter.record(scale);
  if (!emitter.is_data(scale) || numbers.type != dtype::float32 || count < 1 || numbers.data.size / 4 != count) {
    return emitter.refuse("a scale is not a float32 constant"), result;
  }
  result = {.scales = emitter.settled(scale),
            .channels = static_cast<std::uint32_t>(count),
            .axis = count == 1 ? 0 : static_cast<std::int32_t>(axis)};
  if (zero_point == none<value_id>) return result;
  const auto& record = emitter.record(zero_point);
  const std::size_t width = facts(record.type).bits / 8u;
  const auto data = emitter.program().data(emitter.settled(zero_point));
  if (!emitter.is_data(zero_point) || !is_zero_point_type(record.type) || data.size() != width * static_cast<std::size_t>(count)) {
    return emitter.refuse("a zero point is not a constant with one integer of at most 32 bits for each scale"), result;
  }
  const bool is_signed = record.type == dtype::int8 || record.type == dtype::int16 || record.type == dtype::int32;
  bool is_zero = true;
  for (const char each : data) is_zero = is_zero && each == 0;
  if (is_zero) return result;
  text_buffer wide;
  wide.reserve(8 * static_cast<std::size_t>(count));
  for (std::size_t at = 0; at < data.size(); at += width) {
    const bool is_negative = is_signed && static_cast<signed char>(data[at + width - 1]) < 0;
    for (std::size_t b = 0; b < 8; ++b) wide.push_back(b < width ? data[at + b] : is_negative ? '\xff' : '\0');
  }
  result.zero_points = emitter.own(view(wide));
  return result;
}

/// Returns the channel dimension of the stored value `id`. The attribute `axis` is the number of this dimension in the file. Returns 0
/// if the value has no such dimension.
constexpr auto channel_axis(emission& emitter, value_id id) -> std::int64_t {
  const auto rank = emitter.stored_type(id).rank;
  const auto axis = inference::dimension(emitter.integer("axis", 1), rank);
  return static_cast<std::int64_t>(emitter.stored_dimension(id, axis == rank ? 0 : axis));
}

/// Returns the quantization with the scales in operand 1 and the zero points in operand 2. `quantized` is the value with this quantization.
/// If there are several scales, `channel_axis` returns the channel dimension of `quantized`.
constexpr auto quantization_by(emission& emitter, value_id quantized) -> quantization {
  auto by = quantization_of(emitter, emitter.operand(1), emitter.operand(2), 0);
  if (by.channels > 1) by.axis = static_cast<std::int32_t>(channel_axis(emitter, quantized));
  return by;
}

/// Returns x / scale, rounded half to even, plus the zero point, clamped to the range of `type`: int8, uint8, int16 or int32.
constexpr auto quantized_number(float x, float scale, std::int64_t zero_point, dtype type) -> std::int64_t {
  const auto steps = x / scale;  // in float32, as ONNX Runtime computes it
  if (type == dtype::int8) return quantize_to_even<std::int8_t>(steps, zero_point);
  if (type == dtype::uint8) return quantize_to_even<std::uint8_t>(steps, zero_point);
  if (type == dtype::int16) return quantize_to_even<std::int16_t>(steps, zero_point);
  return quantize_to_even<std::int32_t>(steps, zero_point);
}

/// Replaces the node, which quantizes a constant, by a new constant with the quantized elements. Files from quantization-aware training
/// contain such nodes, because these files store weights as float32.
constexpr void forward_quantized(emission& emitter, const quantization& by) {
  const auto type = emitter.output_type();
  const auto width = facts(type.type).bits / 8u;
  const auto count = static_cast<std::size_t>(element_count(type.shape()));
  const bool is_supported = type.type == dtype::int8 || type.type == dtype::uint8 || type.type == dtype::int16 || type.type == dtype::int32;
  if (!is_supported || emitter.record(emitter.operand(0)).type != dtype::float32 ||
      emitter.record(emitter.operand(0)).data.size != 4 * count) {
    return emitter.refuse("a constant of this type cannot be quantized");
  }
  const auto axis = static_cast<std::size_t>(by.axis);
  if (by.channels > 1 && (axis >= type.shape().size() || type.shape()[axis] != by.channels))
    return emitter.refuse("its number of scales, ", by.channels, ", is not the size of dimension ", axis);
  const auto inner = by.channels < 2 ? std::int64_t{1} : element_count(type.shape().subspan(axis + 1));
  text_buffer bytes;
  bytes.reserve(count * width);
  for (std::size_t i = 0; i < count; ++i) {
    const auto channel = by.channels < 2 ? 0 : static_cast<std::uint32_t>(static_cast<std::int64_t>(i) / inner % by.channels);
    const auto number = static_cast<std::uint64_t>(quantized_number(emitter.real_element(0, i, 0), emitter.program().scale(by, channel),
                                                                    emitter.program().zero_point(by, channel), type.type));
    for (std::size_t b = 0; b < width; ++b) bytes.push_back(static_cast<char>(number >> (8 * b) & 0xff));
  }
  const auto result = emitter.constant("quantized", type, view(bytes));
  emitter.value_at(result).quant = by;
  emitter.forward(result);
}

/// Replaces `onnx.QuantizeLinear`.
constexpr void emit_quantize(emission& emitter) {
  if (emitter.integer("block_size") != 0) return emitter.refuse("blockwise quantization (block_size) is not supported");
  const auto by = quantization_by(emitter, emitter.output());
  if (emitter.is_refused()) return;
  if (emitter.is_data(emitter.operand(0))) return forward_quantized(emitter, by);
  quantize(emitter, emitter.output(), by);
  emitter.finish("baton.quantize", {emitter.in(0)});
}
/// Replaces `onnx.DequantizeLinear`.
constexpr void emit_dequantize(emission& emitter) {
  if (emitter.integer("block_size") != 0) return emitter.refuse("blockwise quantization (block_size) is not supported");
  const auto in = emitter.is_constant(emitter.operand(0)) ? emitter.operand(0) : emitter.in(0);
  const auto by = quantization_by(emitter, in);
  if (emitter.is_refused()) return;
  quantize_source(emitter, in, by);
  emitter.finish("tfl.dequantize", {in});
}

/// The rows (`legalization_row`) of operators that quantize or dequantize.
inline constexpr legalization_row onnx_quantization[] = {
    {"onnx.QuantizeLinear", forwarding, emit_quantize, 2},
    {"onnx.DequantizeLinear", forwarding, emit_dequantize, 2},
};

}  // namespace baton::detail
