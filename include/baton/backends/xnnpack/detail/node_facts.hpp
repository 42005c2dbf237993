// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What XNNPACK demands of tensors and scales, beyond what an operator's definition says.
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

using portable::activation;
using portable::bounds;
using portable::node_check;
using portable::operand;

/// Which elements an operator computes.
enum class elements : std::uint8_t { float32, float32_or_int8 };

constexpr auto is_constant(const operand& of) -> bool { return is_owned_data(of.kind) && of.kind != value_kind::mutable_buffer; }

/// Demands a constant that the part can take along: whole, and of the root graph, for those of branches stay there.
constexpr void take_along(node_check& check, const program_view& program, const operand& of, std::string_view what) {
  check.constant_data(of, what);
  if (check.ok()) check.demand(program[of.id].graph == graph_id{0}, what, " is a constant of a branch or of a loop");
}

/// Demands float32, or int8 with one scale, of at most six dimensions; a constant comes along.
constexpr auto read_tensor(node_check& check, const program_view& program, const operand& of, std::string_view what,
                           elements allowed = elements::float32_or_int8) -> portable::affine {
  const bool is_known = of.is_float() || (of.is_int8() && allowed == elements::float32_or_int8);
  check.demand(is_known, what, " is ", facts(of.type).name, ", which XNNPACK has no such operator for");
  check.demand(of.shape.size() <= 6, what, " has rank ", of.shape.size(), ", XNNPACK has 6");
  if (check.ok() && is_constant(of)) take_along(check, program, of, what);
  if (of.is_float()) return {};
  const auto found = check.per_tensor(of, what);
  check.demand(found.scale >= std::numeric_limits<float>::min(), what, " has a scale that is not normal");
  return found;
}

/// Demands of two int8 tensors the same scale, to the bit, and zero point.
constexpr void same_numbers(node_check& check, const operand& in, const operand& out) {
  check.same_type(in, out);
  if (!check.ok() || !in.is_int8()) return;
  const auto from = check.per_tensor(in, "input");
  const auto to = check.per_tensor(out, "output");
  check.demand(std::bit_cast<std::uint32_t>(from.scale) == std::bit_cast<std::uint32_t>(to.scale) && from.zero_point == to.zero_point,
               "input and output have different scales or zero points");
}

/// Demands `least <= ratio < most`.
constexpr void ratio_within(node_check& check, float ratio, float least, float most, std::string_view what) {
  check.demand(ratio >= least && ratio < most, what, " are too far apart for XNNPACK");
}

/// The real numbers that a fused activation leaves.
constexpr auto real_bounds(activation fused) -> bounds<float> {
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  switch (fused) {
    case activation::relu:
      return {0, infinity};
    case activation::relu6:
      return {0, 6};
    case activation::relu_n1_to_1:
      return {-1, 1};
    default:
      return {-infinity, infinity};
  }
}

/// The fused activation as real bounds; of int8 they must leave two numbers at least.
constexpr auto read_bounds(node_check& check, activation fused, const operand& out, const portable::affine& to) -> bounds<float> {
  if (check.ok() && out.is_int8()) {
    const auto range = portable::quantized_bounds<std::int8_t>(fused, to.scale, to.zero_point);
    check.demand(range.lower < range.upper, "the activation leaves one number");
  }
  return real_bounds(fused);
}

/// Whether a layer has a float32 input and an int8 filter.
constexpr auto is_hybrid(const operand& in, const operand& filter) -> bool { return in.is_float() && filter.is_int8(); }

/// Demands the filter and the bias of a layer. Scales of a filter must be positive and normal, and the factors that follow below 256.
/// `axis` is that of the filter's channels; an int8 layer has one scale a channel only where `is_channelwise`. The caller checks whether
/// XNNPACK has the layer as a hybrid one.
constexpr void read_weights(node_check& check, const program_view& program, const operand& in, const operand& filter, const operand& out,
                            std::int32_t channels, std::int32_t axis, std::size_t bias_at, bool is_channelwise) {
  take_along(check, program, filter, "filter");
  const auto from = read_tensor(check, program, in, "input");
  const auto to = read_tensor(check, program, out, "output");
  check.same_type(in, out);
  check.demand(filter.type == in.type || is_hybrid(in, filter), "filter is ", facts(filter.type).name, ", input ", facts(in.type).name);
  if (check.has_input(bias_at)) {
    const auto bias = check.input(bias_at, "bias");
    take_along(check, program, bias, "bias");
    check.demand(bias.type == (in.is_int8() ? dtype::int32 : dtype::float32), "bias is ", facts(bias.type).name);
    check.demand(bias.count == channels, "bias has ", bias.count, " elements for ", channels, " channels");
  }
  if (!filter.is_int8()) return;
  check.symmetric_weights(filter, channels, axis);
  check.demand(is_channelwise || in.is_float() || filter.quant.channels == 1,
               "filter has a scale for each channel, which this version of XNNPACK lacks");
  if (!check.ok()) return;
  // Of floats that are positive, the order of the bits is that of the numbers; negative ones come behind.
  std::uint32_t least = 0xffffffffu;
  std::uint32_t most = 0;
  const auto scales = program.data(filter.quant.scales);
  for (std::uint32_t channel = 0; channel < filter.quant.channels; ++channel) {
    const auto bits = portable::little_endian_32(scales, channel);
    least = bits < least ? bits : least;
    most = bits > most ? bits : most;
  }
  constexpr auto normal = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::min());
  constexpr auto infinite = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  if (!check.demand(least >= normal && most < infinite, "a scale of the filter is not positive and normal")) return;
  if (in.is_float()) return;
  const auto smallest = from.scale * std::bit_cast<float>(least);
  const auto largest = from.scale * std::bit_cast<float>(most);
  check.demand(smallest >= std::numeric_limits<float>::min() && largest / to.scale < 256.0f, "scales are too far apart for XNNPACK");
}

}  // namespace baton::xnnpack::detail
