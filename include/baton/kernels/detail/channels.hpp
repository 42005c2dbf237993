// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a layer with weights demands of its types, weights, bias, quantization and activation, and what is known of its outputs then.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

/// The types of a layer with weights, and what its sums are.
enum class arithmetic : std::int32_t {
  float32,
  float32_by_float16,  ///< float32 with weights of float16
  int8,
  int8_by_int4,    ///< int8 inputs, weights of 4 bits, two in a byte, the first in its low half
  int16,           ///< int16 inputs, int8 weights; sums of 32 bits, requantized as those of int8
  int16_wide,      ///< the same with sums of 64 bits, which are requantized otherwise
  hybrid,          ///< float32 inputs, int8 weights: inputs are quantized to 8 bits while the layer runs
  hybrid_by_int4,  ///< the same with weights of 4 bits
};

/// Whether sums are float32.
constexpr auto has_float_sums(arithmetic by) -> bool { return by == arithmetic::float32 || by == arithmetic::float32_by_float16; }
/// Whether a layer has a form that the compiler makes for its geometry.
constexpr auto has_fast_form(arithmetic by) -> bool { return has_float_sums(by) || by == arithmetic::int8; }
/// Whether float32 inputs are quantized while the layer runs.
constexpr auto is_hybrid(arithmetic by) -> bool { return by == arithmetic::hybrid || by == arithmetic::hybrid_by_int4; }
/// Whether inputs and outputs are float32.
constexpr auto is_real(arithmetic by) -> bool { return has_float_sums(by) || is_hybrid(by); }

/// What the compiler knows of a layer's outputs. Structural: layers of equal ones share their code.
struct channel_output {
  arithmetic by = arithmetic::float32;
  flag has_bias = 0;
  flag has_narrow_bias = 0;  ///< int16 beside sums of 64 bits, float16 beside sums of float32
  flag is_per_channel = 0;   ///< whether each channel has a multiplier of its own
  std::int32_t channels = 1;
  std::int32_t input_zero_point = 0;
  std::int32_t zero_point = 0;
  bounds<std::int32_t> range{};         ///< of integers
  activation fused = activation::none;  ///< of float; the range of integers has it in it

  constexpr auto table_size() const -> std::size_t { return is_per_channel ? static_cast<std::size_t>(channels) : 1; }
};
static_assert(has_no_padding<channel_output>);

/// The operands of a layer with weights.
struct layer_operands {
  operand in{};
  operand filter{};
  operand out{};
  std::int32_t channels = 1;  ///< of the output
  std::int32_t axis = 0;      ///< of the filter, along which scales differ
  std::int32_t products = 1;  ///< that make one output
  std::size_t bias_at = 2;
  bool has_int32_sums = true;      ///< whether int16 layers may sum in 32 bits, as a bias of int32 wants it
  bool takes_narrow_bias = false;  ///< int16 layers: a bias of int16
  bool takes_int16_zero_point = false;
};

namespace detail {

/// The arithmetic of a layer's types. An int16 layer without bias sums in what the option says that its bias would have.
constexpr auto arithmetic_of(node_check& check, const layer_operands& layer, dtype bias) -> arithmetic {
  const auto in = layer.in.type;
  const auto filter = layer.filter.type;
  const bool is_layer = in == layer.out.type && (in == dtype::float32 ? filter == dtype::float32 || filter == dtype::float16 ||
                                                                            filter == dtype::int8 || filter == dtype::int4
                                                 : in == dtype::int8 ? filter == dtype::int8 || filter == dtype::int4
                                                                     : in == dtype::int16 && filter == dtype::int8);
  check.demand(is_layer, "input ", facts(in).name, ", filter ", facts(filter).name, " and output ", facts(layer.out.type).name,
               " are no types of a layer with weights");
  if (in == dtype::float32 && filter == dtype::float32) return arithmetic::float32;
  if (in == dtype::float32 && filter == dtype::float16) return arithmetic::float32_by_float16;
  if (in == dtype::float32) return filter == dtype::int4 ? arithmetic::hybrid_by_int4 : arithmetic::hybrid;
  if (in == dtype::int8) return filter == dtype::int4 ? arithmetic::int8_by_int4 : arithmetic::int8;
  return layer.has_int32_sums && bias == dtype::int32 ? arithmetic::int16 : arithmetic::int16_wide;
}

/// Demands what 64-bit sums need for their requantization: factors from 0 up to 127, a bias within 46 bits.
constexpr void check_wide(node_check& check, const program_view& program, const layer_operands& layer, const operand& bias, float in,
                          float out) {
  check.demand(layer.products <= 1 << 22, "sums of ", layer.products, " products may not fit 46 bits");
  if (!check.ok()) return;
  const auto scales = program.data(layer.filter.quant.scales);
  for (std::size_t i = 0; i < layer.filter.quant.channels; ++i) {
    const auto scale = static_cast<double>(std::bit_cast<float>(little_endian_32(scales, i)));
    const auto factor = static_cast<double>(in) * scale / static_cast<double>(out);
    if (!(factor >= 0 && factor < 127)) check.demand(false, "filter scale ", i, " gives a factor that is negative or too large");
  }
  if (bias.type != dtype::int64) return;
  const auto bytes = program.data(bias.data);
  for (std::size_t i = 0; 8 * i < bytes.size(); ++i) {
    const auto high = static_cast<std::int32_t>(little_endian_32(bytes, 2 * i + 1));
    if (high < -(1 << 14) || high >= 1 << 14) check.demand(false, "bias ", i, " does not fit 46 bits");
  }
}

}  // namespace detail

/// Demands what every layer with weights demands of its types, weights, bias, quantization and activation. Weights may be computed, and so
/// may a float32 bias.
constexpr auto check_channels(node_check& check, const program_view& program, const node& record, const layer_operands& layer)
    -> channel_output {
  channel_output made{.has_bias = check.has_input(layer.bias_at), .channels = layer.channels};
  operand bias;
  if (made.has_bias) bias = check.input(layer.bias_at, "bias");
  const auto option = program.text(record, "quantized_bias_type");
  made.by = detail::arithmetic_of(check, layer, made.has_bias ? bias.type : option == "int32" ? dtype::int32 : dtype::int64);
  check.weights(layer.filter, "filter");
  if (made.has_bias) {
    const bool is_wide = made.by == arithmetic::int16_wide;
    const auto full = is_real(made.by) ? dtype::float32 : is_wide ? dtype::int64 : dtype::int32;
    const auto narrow = has_float_sums(made.by) ? dtype::float16 : is_wide && layer.takes_narrow_bias ? dtype::int16 : full;
    made.has_narrow_bias = bias.type == narrow && narrow != full;
    check.demand(bias.type == full || bias.type == narrow, "bias is ", facts(bias.type).name);
    check.demand(bias.count == layer.channels, "bias has ", bias.count, " elements for ", layer.channels, " channels");
    if (is_real(made.by)) {
      check.weights(bias, "bias");
    } else {
      check.constant_data(bias, "bias");
    }
  }
  const auto fused = check.fused();
  if (is_real(made.by)) made.fused = fused;
  if (has_float_sums(made.by)) return made;
  made.is_per_channel = layer.filter.quant.channels > 1;
  if (made.by != arithmetic::int16 && made.by != arithmetic::int16_wide) {
    // 255 · 128 is the largest product.
    check.demand(layer.products <= INT32_MAX / (255 * 128), "sums of ", layer.products, " products may not fit 32 bits");
  }
  check.symmetric_weights(layer.filter, layer.channels, layer.axis);
  if (is_hybrid(made.by)) return made;
  const auto in = check.per_tensor(layer.in, "input");
  const auto out = check.per_tensor(layer.out, "output");
  made.input_zero_point = in.zero_point;
  made.zero_point = out.zero_point;
  if (layer.in.is_int8()) {
    made.range = quantized_bounds<std::int8_t>(fused, out.scale, out.zero_point);
    return made;
  }
  made.range = quantized_bounds<std::int16_t>(fused, out.scale, out.zero_point);
  const bool is_centred = in.zero_point == 0 && out.zero_point == 0;
  check.demand(is_centred || layer.takes_int16_zero_point, "zero points ", in.zero_point, " and ", out.zero_point, " of int16 are not 0");
  if (made.by == arithmetic::int16_wide) detail::check_wide(check, program, layer, bias, in.scale, out.scale);
  return made;
}

}  // namespace baton::portable
