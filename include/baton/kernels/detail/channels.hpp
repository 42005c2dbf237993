// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks of a layer with weights (types, weights, bias, quantization, activation), and the resulting description of its outputs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/baton_operators.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

/// The types of a layer with weights, and the type of its sums.
enum class arithmetic : std::int32_t {
  float32,
  float32_by_float16,  ///< float32 with float16 weights
  int8,
  int8_with_real_bias,  ///< like `int8` with `rounding::once`, but float32 biases are added after a sum is multiplied by its factor
  int8_by_int4,         ///< int8 inputs, 4-bit weights: two per byte, the first in the low half
  int16,                ///< int16 inputs, int8 weights; 32-bit sums, which are requantized like those of `int8`
  int16_wide,           ///< int16 inputs, int8 weights; 64-bit sums, see `requantize_wide`
  hybrid,               ///< float32 inputs, quantized to 8 bits at run time; int8 weights
  hybrid_by_int4,       ///< like `hybrid`, but with 4-bit weights
};

/// True if sums are float32.
constexpr auto has_float_sums(arithmetic by) -> bool { return by == arithmetic::float32 || by == arithmetic::float32_by_float16; }
/// True if convolutions and fully connected layers of this arithmetic have code that is specialized at compile time for their geometry.
/// Transposed convolutions never have such code.
constexpr auto has_specialized_code(arithmetic by) -> bool {
  return has_float_sums(by) || by == arithmetic::int8 || by == arithmetic::int8_with_real_bias;
}
/// True if float32 inputs are quantized at run time.
constexpr auto is_hybrid(arithmetic by) -> bool { return by == arithmetic::hybrid || by == arithmetic::hybrid_by_int4; }
/// True if inputs and outputs are float32.
constexpr auto is_real(arithmetic by) -> bool { return has_float_sums(by) || is_hybrid(by); }

/// The description of a layer's outputs. The type is structural, so that layers with equal descriptions share code.
struct channel_output {
  arithmetic by = arithmetic::float32;
  flag has_bias = 0;
  flag has_narrow_bias = 0;  ///< whether the bias is int16 (64-bit sums) or float16 (float32 sums)
  flag is_per_channel = 0;   ///< whether each channel has its own multiplier
  std::int32_t channels = 1;
  std::int32_t input_zero_point = 0;
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};                    ///< the range of integer outputs, limited by their activation
  quantized::activation fused = quantized::activation::none;  ///< the activation of float outputs
  quantized::rounding round = quantized::rounding::twice;     ///< the rounding of integer outputs

  constexpr auto rounds_once() const -> bool { return round == quantized::rounding::once; }
  /// True if the requantization of negative sums has a correction that can affect the output. The correction rounds negative ties away from
  /// zero. The correction cannot affect the output if `range` contains no values below the zero point.
  constexpr auto corrects_ties() const -> bool { return !rounds_once() && range.lower < zero_point; }
  /// Returns the argument `correction` of `lane_factors::set`.
  constexpr auto correction() const -> std::int32_t { return rounds_once() ? 0 : corrects_ties() ? -1 : 1; }
  constexpr auto table_size() const -> std::size_t { return is_per_channel ? static_cast<std::size_t>(channels) : 1; }
};
static_assert(has_no_padding<channel_output>);

/// The operands of a layer with weights, and the properties of the layer on which `check_channels` depends.
struct layer_operands {
  operand in{};
  operand filter{};
  operand out{};
  std::int32_t channels = 1;  ///< output channels
  std::int32_t axis = 0;      ///< the axis of the filter along which the scales of the output channels differ
  std::int32_t products = 1;  ///< products per output
  std::size_t bias_at = 2;
  bool has_int32_sums = true;           ///< whether an int16 layer sums in 32 bits if its bias is int32
  bool takes_narrow_bias = false;       ///< whether an int16 layer may have an int16 bias
  bool takes_int16_zero_point = false;  ///< whether an int16 layer may have zero points other than 0
};

namespace detail {

/// Returns the arithmetic for the types of a layer. In an int16 layer, the type `bias` selects the width of the sums. If the layer has no
/// bias, `bias` is the type that a bias would have.
constexpr auto arithmetic_of(node_check& check, const layer_operands& layer, dtype bias) -> arithmetic {
  const auto in = layer.in.type;
  const auto filter = layer.filter.type;
  const bool is_layer = in == layer.out.type && (in == dtype::float32 ? filter == dtype::float32 || filter == dtype::float16 ||
                                                                            filter == dtype::int8 || filter == dtype::int4
                                                 : in == dtype::int8 ? filter == dtype::int8 || filter == dtype::int4
                                                                     : in == dtype::int16 && filter == dtype::int8);
  check.demand(is_layer, "input ", facts(in).name, ", filter ", facts(filter).name, " and output ", facts(layer.out.type).name,
               " are not supported as types of a layer with weights");
  if (in == dtype::float32 && filter == dtype::float32) return arithmetic::float32;
  if (in == dtype::float32 && filter == dtype::float16) return arithmetic::float32_by_float16;
  if (in == dtype::float32) return filter == dtype::int4 ? arithmetic::hybrid_by_int4 : arithmetic::hybrid;
  if (in == dtype::int8) return filter == dtype::int4 ? arithmetic::int8_by_int4 : arithmetic::int8;
  return layer.has_int32_sums && bias == dtype::int32 ? arithmetic::int16 : arithmetic::int16_wide;
}

/// Checks the preconditions of `requantize_wide`: at most 2^22 products, factors in [0, 127), and biases in [-2^46, 2^46).
constexpr void check_wide(node_check& check, const program_view& program, const layer_operands& layer, const operand& bias) {
  check.demand(layer.products <= 1 << 22, "sums of ", layer.products, " products may not fit 47 bits");
  if (!check.ok()) return;
  const auto in = program.scale(layer.in.quant), out = program.scale(layer.out.quant);
  const auto scales = program.data(layer.filter.quant.scales);
  for (std::size_t i = 0; i < layer.filter.quant.channels; ++i) {
    const auto scale = static_cast<double>(std::bit_cast<float>(quantized::little_endian_32(scales, i)));
    const auto factor = static_cast<double>(in) * scale / static_cast<double>(out);
    if (!(factor >= 0 && factor < 127)) check.demand(false, "filter scale ", i, " results in a factor that is negative or too large");
  }
  if (bias.type != dtype::int64) return;
  const auto bytes = program.data(bias.data);
  for (std::size_t i = 0; 8 * i < bytes.size(); ++i) {
    const auto high = static_cast<std::int32_t>(quantized::little_endian_32(bytes, 2 * i + 1));
    if (high < -(1 << 14) || high >= 1 << 14) check.demand(false, "bias ", i, " does not fit 47 bits");
  }
}

/// Checks that the layer rounds once, and that each addend that `channel_numbers::real_addend_of` computes from a float32 bias has a
/// magnitude below 2^61.
constexpr void check_real_bias(node_check& check, const program_view& program, const node& record, const operand& bias,
                               quantized::rounding round) {
  if (!check.demand(round == quantized::rounding::once, "a float32 bias of an int8 layer requires rounding=\"once\"")) return;
  const auto numbers = numbers_of(program, record, channel_scaling::in_double);
  for (std::int32_t c = 0; c < bias.count; ++c) {
    const auto addend = numbers.real_addend_of(static_cast<std::size_t>(c), numbers.factor_of(static_cast<std::size_t>(c)));
    if (!(addend > -0x1p61 && addend < 0x1p61)) check.demand(false, "bias ", c, " is not finite, or too large for the output's scale");
  }
}

/// Checks the factors of a layer that has them as operands (`factor_operands`). A multiplier must be 0 or have a magnitude of 2^30 to 2^31,
/// as in `fixed_multiplier`. If the multiplier is not 0, the shift must be in [-31, 30].
constexpr void check_factors(node_check& check, const program_view& program, const layer_operands& layer, channel_output& result) {
  const auto multipliers = check.input(factor_operands::multipliers, "multipliers");
  const auto shifts = check.input(factor_operands::shifts, "shifts");
  check.demand(multipliers.type == dtype::int32 && shifts.type == dtype::int32, "multipliers are ", facts(multipliers.type).name,
               " and shifts are ", facts(shifts.type).name, "; both must be int32");
  const bool fits = multipliers.count == shifts.count && (multipliers.count == 1 || multipliers.count == layer.channels);
  check.demand(fits, multipliers.count, " multipliers and ", shifts.count, " shifts for ", layer.channels,
               " channels; pass one multiplier and one shift, or one of each per channel");
  check.constant_data(multipliers, "multipliers");
  check.constant_data(shifts, "shifts");
  check.demand(layer.in.is_int8() && (result.by == arithmetic::int8 || result.by == arithmetic::int8_by_int4),
               "multipliers are only for int8 inputs and outputs with integer biases");
  if (!check.ok()) return;
  const auto values = program.data(multipliers.data), shift_bytes = program.data(shifts.data);
  for (std::size_t i = 0; 4 * i < values.size(); ++i) {
    const std::int64_t value = static_cast<std::int32_t>(quantized::little_endian_32(values, i));
    const auto shift = static_cast<std::int32_t>(quantized::little_endian_32(shift_bytes, i));
    const auto magnitude = value < 0 ? -value : value;
    if (magnitude == 0 || (magnitude >= 1 << 30 && shift >= -31 && shift <= 30)) continue;
    check.demand(false, "multiplier ", i, " is ", value, " with shift ", shift, ", which is not a normalized fixed-point number");
  }
  result.is_per_channel = multipliers.count > 1;
}

}  // namespace detail

/// Sets the zero points of an integer layer, and the range of its outputs. If the factors are operands, the zero points are attributes of
/// the node. If not, the quantization of `in` and `out` contains the zero points.
constexpr void read_zero_points(node_check& check, const program_view& program, const node& record, const operand& in, const operand& out,
                                quantized::activation fused, channel_output& result) {
  const bool has_factors = factor_operands::are_in(program, record);
  const auto from = has_factors ? affine{1, check.stated_zero_point(in, "input", "input_zero_point")} : check.per_tensor(in, "input");
  const auto to = has_factors ? affine{1, check.stated_zero_point(out, "output", "output_zero_point")} : check.per_tensor(out, "output");
  result.input_zero_point = from.zero_point;
  result.zero_point = to.zero_point;
  result.range = fused_range(in.type, fused, to);
  if (is_baton_layer(record)) result.range = check.limited(result.range);
}

/// Checks the types, weights, bias, quantization and activation of a layer with weights, and returns the description of its outputs.
/// Weights may be computed at run time. Biases may be computed at run time if the outputs are float32. Biases of int32 may also be computed
/// at run time if the weights are computed at run time. All other biases must be constants.
constexpr auto check_channels(node_check& check, const program_view& program, const node& record, const layer_operands& layer)
    -> channel_output {
  channel_output result{.has_bias = check.has_input(layer.bias_at), .channels = layer.channels};
  operand bias;
  if (result.has_bias) bias = check.input(layer.bias_at, "bias");
  const auto option = program.text(record, "quantized_bias_type");
  result.by = detail::arithmetic_of(check, layer, result.has_bias ? bias.type : option == "int32" ? dtype::int32 : dtype::int64);
  result.round = check.rounding_rule();
  const bool is_baton = is_baton_layer(record);
  // Only operators of the namespace baton add float32 biases to int8 sums.
  const bool has_real_bias = result.by == arithmetic::int8 && result.has_bias && bias.type == dtype::float32 && is_baton;
  if (has_real_bias) result.by = arithmetic::int8_with_real_bias;
  check.weights(layer.filter, "filter");
  if (result.has_bias) {
    const bool is_wide = result.by == arithmetic::int16_wide;
    const auto full = is_real(result.by) || has_real_bias ? dtype::float32 : is_wide ? dtype::int64 : dtype::int32;
    const auto narrow = has_float_sums(result.by) ? dtype::float16 : is_wide && layer.takes_narrow_bias ? dtype::int16 : full;
    result.has_narrow_bias = bias.type == narrow && narrow != full;
    check.demand(bias.type == full || bias.type == narrow, "bias is ", facts(bias.type).name, ", not ", facts(full).name,
                 narrow == full ? "" : " or ", narrow == full ? std::string_view{} : facts(narrow).name);
    check.demand(bias.count == layer.channels, "bias has ", bias.count, " elements for ", layer.channels, " channels");
    // If the weights are constant, kernels pack weights and biases at compile time. Biases must therefore also be constant.
    const bool may_be_computed = is_real(result.by) || (full == dtype::int32 && !is_owned_data(layer.filter.kind));
    if (may_be_computed) {
      check.weights(bias, "bias");
    } else {
      check.constant_data(bias, "bias");
    }
  }
  const auto fused = check.fused();
  if (is_real(result.by)) {
    result.fused = fused;
    check.demand(!is_baton || !check.has_limits(), "output_min and output_max are supported only for quantized outputs");
  }
  if (has_float_sums(result.by)) return result;
  if (result.by != arithmetic::int16 && result.by != arithmetic::int16_wide) {
    // The largest product is 255 · 128.
    check.demand(layer.products <= INT32_MAX / (255 * 128), "sums of ", layer.products, " products may not fit 32 bits");
  }
  if (factor_operands::are_in(program, record)) {
    check.demand(fused == quantized::activation::none, "a layer with multipliers has no fused activation; use output_min and output_max");
    detail::check_factors(check, program, layer, result);
  } else {
    result.is_per_channel = layer.filter.quant.channels > 1;
    check.symmetric_weights(layer.filter, layer.channels, layer.axis);
    if (is_hybrid(result.by)) return result;
  }
  read_zero_points(check, program, record, layer.in, layer.out, fused, result);
  if (has_real_bias && check.ok()) detail::check_real_bias(check, program, record, bias, result.round);
  if (layer.in.is_int8()) return result;
  check.demand(!is_baton, "int16 layers are supported only as operators of the namespace tfl");
  const bool is_centered = result.input_zero_point == 0 && result.zero_point == 0;
  check.demand(is_centered || layer.takes_int16_zero_point, "zero points ", result.input_zero_point, " and ", result.zero_point,
               " of int16 are not 0");
  if (result.by == arithmetic::int16_wide) detail::check_wide(check, program, layer, bias);
  return result;
}

}  // namespace baton::portable
