// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// XNNPACK's requirements on tensors and scales, in addition to the requirements of an operator's definition.
#pragma once

#include <baton/core/affine.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::xnnpack::detail {

using portable::node_check;
using portable::operand;
using quantized::activation;
using quantized::bounds;

/// The element types that an operator supports.
enum class elements : std::uint8_t { float32, float32_or_int8 };

constexpr auto is_constant(const operand& tensor) -> bool {
  return is_owned_data(tensor.kind) && tensor.kind != value_kind::mutable_buffer;
}

/// Requires a complete constant of the root graph, so that the part can own it. A part cannot own constants of branches and loops, because
/// these constants stay in the graphs of the branches and loops.
constexpr void require_owned_constant(node_check& check, const program_view& program, const operand& tensor, std::string_view label) {
  check.constant_data(tensor, label);
  if (check.ok()) check.demand(program[tensor.id].graph == graph_id{0}, label, " is a constant of a branch or of a loop");
}

/// Requires that a tensor has at most six dimensions, and a type in `allowed`. An int8 tensor must have one scale, which must be positive,
/// finite and not subnormal. If the tensor is a constant, the part must be able to own it. Returns the quantization of an int8 tensor, or
/// `{}` for float32.
constexpr auto read_tensor(node_check& check, const program_view& program, const operand& tensor, std::string_view label,
                           elements allowed = elements::float32_or_int8) -> portable::affine {
  const bool is_known = tensor.is_float() || (tensor.is_int8() && allowed == elements::float32_or_int8);
  check.demand(is_known, label, " is ", facts(tensor.type).name, ", which XNNPACK does not support for this operator");
  check.demand(tensor.shape.size() <= 6, label, " has rank ", tensor.shape.size(), ", the maximum of XNNPACK is 6");
  if (check.ok() && is_constant(tensor)) require_owned_constant(check, program, tensor, label);
  if (tensor.is_float()) return {};
  const auto quantization = check.per_tensor(tensor, label);
  check.demand(quantization.scale >= std::numeric_limits<float>::min(), label, " has a scale that is not normal");
  return quantization;
}

/// Requires that two tensors have the same type. If the type is int8, also requires equal zero points and bit-identical scales.
constexpr void require_same_quantization(node_check& check, const operand& in, const operand& out) {
  check.same_type(in, out);
  if (!check.ok() || !in.is_int8()) return;
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  check.demand(std::bit_cast<std::uint32_t>(from.scale) == std::bit_cast<std::uint32_t>(to.scale) && from.zero_point == to.zero_point,
               "input and output have different scales or zero points");
}

/// Requires `min <= ratio < max`.
constexpr void require_ratio_within(node_check& check, float ratio, float min, float max, std::string_view label) {
  check.demand(ratio >= min && ratio < max, label, " have a ratio that XNNPACK does not support");
}

/// Returns the range of an activation, in real numbers.
constexpr auto real_bounds(quantized::activation fused) -> quantized::bounds<float> {
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  switch (fused) {
    case quantized::activation::relu:
      return {0, infinity};
    case quantized::activation::relu6:
      return {0, 6};
    case quantized::activation::relu_n1_to_1:
      return {-1, 1};
    default:
      return {-infinity, infinity};
  }
}

/// Returns the range of the fused activation, in real numbers. If the output is int8, the attributes `output_min` and `output_max` limit
/// the range further; these attributes are int8 values of the output. Requires that the range of an int8 output contains at least two int8
/// numbers.
constexpr auto read_bounds(node_check& check, quantized::activation fused, const operand& out, const portable::affine& to)
    -> quantized::bounds<float> {
  auto bounds = real_bounds(fused);
  if (!check.ok() || !out.is_int8()) return bounds;
  const auto range = quantized::quantized_bounds<std::int8_t>(fused, to.scale, to.zero_point);
  const auto limited = check.has_limits() ? check.limited(range) : range;
  check.demand(limited.lower < limited.upper, "the range of the activation is a single number");
  const auto real = [&](std::int32_t step) { return static_cast<float>(step - to.zero_point) * to.scale; };
  if (limited.lower > range.lower) bounds.lower = real(limited.lower);
  if (limited.upper < range.upper) bounds.upper = real(limited.upper);
  return bounds;
}

/// Requires that a node rounds as XNNPACK does. Operators of TensorFlow Lite meet this requirement. An operator of the namespace `baton`
/// meets this requirement if an importer decoded the node from a graph of XNNPACK.
constexpr void require_xnnpack_rounding(node_check& check, const program_view& program, const node& record) {
  check.demand(!program.text(record.target).starts_with("baton.") || program.text(record, "arithmetic") == "xnnpack",
               "its arithmetic is not that of XNNPACK");
}

/// True if a layer has a float32 input and an int8 filter.
constexpr auto is_hybrid(const operand& in, const operand& filter) -> bool { return in.is_float() && filter.is_int8(); }

/// Checks the input, the output, the filter and the bias of a layer. The scales of an int8 filter must be positive, finite and not
/// subnormal. In an int8 layer, `input scale · filter scale` must not be subnormal for any channel, and must be below 256 times the
/// output's scale. `channels` is the number of output channels, `axis` the filter's channel axis, and `bias_at` the index of the bias
/// operand. An int8 layer may have a scale for each channel only if `is_channelwise`. Does not check whether XNNPACK supports a hybrid
/// layer; the caller does.
constexpr void require_layer_tensors(node_check& check, const program_view& program, const operand& in, const operand& filter,
                                     const operand& out, std::int32_t channels, std::int32_t axis, std::size_t bias_at,
                                     bool is_channelwise) {
  require_owned_constant(check, program, filter, "filter");
  const auto from = read_tensor(check, program, in, "input");
  const auto to = read_tensor(check, program, out, "output");
  check.same_type(in, out);
  check.demand(filter.type == in.type || is_hybrid(in, filter), "filter is ", facts(filter.type).name, " and input ", facts(in.type).name,
               ", which XNNPACK does not support");
  if (check.has_input(bias_at)) {
    const auto bias = check.input(bias_at, "bias");
    require_owned_constant(check, program, bias, "bias");
    const auto expected = in.is_int8() ? dtype::int32 : dtype::float32;
    check.demand(bias.type == expected, "bias is ", facts(bias.type).name, ", not ", facts(expected).name);
    check.demand(bias.count == channels, "bias has ", bias.count, " elements for ", channels, " channels");
  }
  if (!filter.is_int8()) return;
  check.symmetric_weights(filter, channels, axis);
  check.demand(is_channelwise || in.is_float() || filter.quant.channels == 1,
               "filter has a scale for each channel, which this version of XNNPACK does not support");
  if (!check.ok()) return;
  // The bits of the scales are compared. The bits of positive floats have the order of their values, and the bits of negative floats are
  // larger. Therefore a negative scale is the maximum and is rejected.
  std::uint32_t min_bits = 0xffffffffu;
  std::uint32_t max_bits = 0;
  const auto scales = program.data(filter.quant.scales);
  for (std::uint32_t channel = 0; channel < filter.quant.channels; ++channel) {
    const auto bits = quantized::little_endian_32(scales, channel);
    min_bits = bits < min_bits ? bits : min_bits;
    max_bits = bits > max_bits ? bits : max_bits;
  }
  constexpr auto normal = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::min());
  constexpr auto infinite = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  if (!check.demand(min_bits >= normal && max_bits < infinite, "a scale of the filter is not positive and normal")) return;
  if (in.is_float()) return;
  const auto smallest = from.scale * std::bit_cast<float>(min_bits);
  const auto largest = from.scale * std::bit_cast<float>(max_bits);
  check.demand(smallest >= std::numeric_limits<float>::min() && largest / to.scale < 256.0f,
               "scales have a ratio that XNNPACK does not support");
}

}  // namespace baton::xnnpack::detail
