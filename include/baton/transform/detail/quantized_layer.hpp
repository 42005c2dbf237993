// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An int8 layer with constant weights, and the parameters from which its outputs are computed.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/first_not_finite.hpp>
#include <baton/operators/shared/window.hpp>
#include <baton/transform/detail/plain_constant.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace baton::detail {

/// The taps (elements of the filter window) that are inside the image along one axis, in the half-open range [`first`, `last`).
struct tap_run {
  std::int32_t first = 0;
  std::int32_t last = 1;

  constexpr auto operator==(const tap_run&) const -> bool = default;
};

/// The sizes of a layer along one spatial axis, in elements.
struct window_facts {
  std::int64_t input = 1;
  std::int64_t output = 1;
  std::int64_t filter = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;

  /// True if `output` is the size that follows from the other members, with SAME padding if `is_same` is set, otherwise with VALID padding.
  constexpr auto is_valid(bool is_same) const -> bool {
    constexpr std::int64_t max_size = 1 << 20;  // prevents overflow
    const bool is_valid = input > 0 && filter > 0 && stride > 0 && dilation > 0 && input < max_size && filter < max_size &&
                          stride < max_size && dilation < max_size && output > 0;
    return is_valid && window_size(is_same, input, filter, stride, dilation) == output;
  }
  /// Returns the range of taps inside the image for each output, in output order, without consecutive duplicates. Without padding, the
  /// result has one range.
  constexpr auto runs() const -> vector<tap_run> {
    vector<tap_run> result;
    const auto before = padding_before(input, output, filter, stride, dilation);
    for (std::int64_t at = 0; at < output; ++at) {
      const auto from = at * stride - before;
      const auto first = from < 0 ? (dilation - 1 - from) / dilation : 0;
      const auto end = input <= from ? 0 : (input - from + dilation - 1) / dilation;
      const auto last = end < filter ? end : filter;
      const tap_run taps{static_cast<std::int32_t>(first < last ? first : last), static_cast<std::int32_t>(last)};
      if (result.empty() || !(result.back() == taps)) result.push_back(taps);
    }
    return result;
  }
};

/// An int8 layer with constant symmetric weights: a `tfl.conv_2d` without groups, a `tfl.depthwise_conv_2d`, or a `tfl.fully_connected`. A
/// fully connected layer is represented as a convolution without padding. If one row of the layer's weights spans several pixels of an
/// image, each pixel is a tap.
struct quantized_layer {
  node_id node = none<node_id>;
  value_id in = none<value_id>;
  value_id filter = none<value_id>;
  value_id bias = none<value_id>;
  value_id out = none<value_id>;
  bool is_depthwise = false;
  bool is_fully_connected = false;
  std::int32_t height = 1;  ///< the height of the filter, in taps
  std::int32_t width = 1;
  std::int32_t inputs = 1;  ///< the number of input channels
  std::int32_t outputs = 1;
  vector<tap_run> rows{};     ///< `window_facts::runs` along the height
  vector<tap_run> columns{};  ///< `window_facts::runs` along the width
  float input_scale = 1;
  float output_scale = 1;
  std::int32_t input_zero_point = 0;
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};  ///< the bounds of the fused activation, as quantized integers of the output

  constexpr auto taps() const -> std::int32_t { return height * width; }
  /// Returns the number of outputs per input channel of a depthwise convolution.
  constexpr auto multiplier() const -> std::int32_t { return outputs / inputs; }
  /// Returns an upper bound on the sum of the absolute values of the products of one output.
  constexpr auto max_products() const -> std::int64_t { return std::int64_t{255 * 128} * taps() * (is_depthwise ? 1 : inputs); }
  /// True if some outputs have taps in the padding.
  constexpr auto has_padding() const -> bool {
    return !(rows.size() == 1 && columns.size() == 1 && rows[0] == tap_run{0, height} && columns[0] == tap_run{0, width});
  }
};

/// Reads the scale and the zero point of an int8 value. An absent zero point is 0. Returns false if the value is not int8, or does not have
/// one positive finite scale and one zero point in the range of int8.
constexpr auto read_affine(const program_view& program, value_id id, float& scale, std::int32_t& zero_point) -> bool {
  const auto& quant = program[id].quant;
  const bool is_valid = quant.channels == 1 && quant.scales.size == 4 && (quant.zero_points.size == 0 || quant.zero_points.size == 8);
  if (program[id].type != dtype::int8 || !is_valid) return false;
  scale = program.scale(quant);
  const auto zero = program.zero_point(quant);
  if (!(scale > 0 && scale <= std::numeric_limits<float>::max()) || zero < -128 || zero > 127) return false;
  zero_point = static_cast<std::int32_t>(zero);
  return true;
}

/// True if `count` bytes are all 0. In a constant expression, compilers compare a block of bytes from a literal in one step.
constexpr auto are_zeros(const char* bytes, std::size_t count) -> bool {
  constexpr char zeros[257] = "";
  const char* const end = bytes + count;
  while (std::is_constant_evaluated() && bytes != end) {
    const auto block = std::min<std::size_t>(static_cast<std::size_t>(end - bytes), 256);
    if (!__builtin_constant_p(__builtin_memcmp(bytes, zeros, block))) break;
    if (__builtin_memcmp(bytes, zeros, block) != 0) return false;
    bytes += block;
  }
  for (; end - bytes >= 16; bytes += 16) {
    if ((bytes[0] | bytes[1] | bytes[2] | bytes[3] | bytes[4] | bytes[5] | bytes[6] | bytes[7] | bytes[8] | bytes[9] | bytes[10] |
         bytes[11] | bytes[12] | bytes[13] | bytes[14] | bytes[15]) != 0) {
      return false;
    }
  }
  for (; bytes != end; ++bytes) {
    if (*bytes != 0) return false;
  }
  return true;
}

/// True if `quant` has one finite scale, or a finite scale for each of `channels` channels along dimension `axis`. All zero points must be
/// 0.
constexpr auto is_symmetric(const program_view& program, const quantization& quant, std::int32_t channels, std::int32_t axis) -> bool {
  if (quant.channels == 0 || quant.scales.size != std::uint64_t{4} * quant.channels) return false;
  if (quant.channels != 1 && (quant.channels != static_cast<std::uint32_t>(channels) || quant.axis != axis)) return false;
  const auto zeros = quant.zero_points.size;
  if (zeros != 0 && zeros != 8 && zeros != std::uint64_t{8} * quant.channels) return false;
  const char* const scales = program.data(quant.scales).data();
  const char* const end = scales + quant.scales.size;
  return first_not_finite(scales, end) == end && are_zeros(program.data(quant.zero_points).data(), zeros);
}

/// Reads the parameters of the layer that the node `id` computes, and stores them in `layer`. Returns false if the node is not a layer that
/// `quantized_layer` supports. `period` is the number of channels of the input: element `i` belongs to channel `i % period`.
constexpr auto describe_layer(const program_view& program, node_id id, std::uint32_t period, quantized_layer& layer) -> bool {
  const auto& record = program[id];
  layer.is_depthwise = record.is("tfl.depthwise_conv_2d");
  layer.is_fully_connected = record.is("tfl.fully_connected");
  if ((!layer.is_depthwise && !layer.is_fully_connected && !record.is("tfl.conv_2d")) || record.outputs.size != 1 ||
      record.inputs.size < 2 || record.inputs.size > 3 || period == 0) {
    return false;
  }
  const auto operands = program.inputs(record);
  layer.node = id;
  layer.in = operands[0];
  layer.filter = operands[1];
  layer.bias = operands.size() == 3 ? operands[2] : none<value_id>;
  layer.out = program.outputs_of(record)[0];
  if (layer.in == none<value_id> || layer.filter == none<value_id> || !is_plain_constant(program, layer.filter, dtype::int8)) return false;
  if (!read_affine(program, layer.in, layer.input_scale, layer.input_zero_point) ||
      !read_affine(program, layer.out, layer.output_scale, layer.zero_point)) {
    return false;
  }
  const auto in = program.shape(layer.in), filter = program.shape(layer.filter), out = program.shape(layer.out);
  const auto elements = element_count(in);
  const auto channels = static_cast<std::int64_t>(period);
  if (elements <= 0 || element_count(out) <= 0 || out.empty()) return false;
  constexpr std::int64_t max_count = INT32_MAX / (255 * 128);  // sums fit 32 bits
  if (layer.is_fully_connected) {
    if (filter.size() != 2 || filter[1] % channels != 0 || elements % filter[1] != 0 || filter[1] > max_count || filter[0] < 1 ||
        out.back() != filter[0] || element_count(out) != elements / filter[1] * filter[0] ||
        program.text(record, "weights_format", "default") != "default") {
      return false;
    }
    layer.height = static_cast<std::int32_t>(filter[1] / channels);
    layer.outputs = static_cast<std::int32_t>(filter[0]);
    layer.rows.push_back({0, layer.height});
    layer.columns.push_back({0, 1});
  } else {
    const auto padding = program.text(record, "padding");
    const bool is_same = padding == "same";
    if (in.size() != 4 || filter.size() != 4 || out.size() != 4 || in[0] != out[0] || in[3] != channels || (!is_same && padding != "valid"))
      return false;
    const auto option = [&](literal_name key) { return program.integer(record, key, 1); };
    const window_facts down{in[1], out[1], filter[1], option("stride_h"), option("dilation_h_factor")};
    const window_facts across{in[2], out[2], filter[2], option("stride_w"), option("dilation_w_factor")};
    const bool fits =
        layer.is_depthwise ? filter[0] == 1 && filter[3] == out[3] && out[3] % channels == 0 : filter[3] == channels && filter[0] == out[3];
    const auto products = filter[1] * filter[2] * (layer.is_depthwise ? 1 : filter[3]);
    if (!fits || !down.is_valid(is_same) || !across.is_valid(is_same) || products > max_count) return false;
    layer.height = static_cast<std::int32_t>(filter[1]);
    layer.width = static_cast<std::int32_t>(filter[2]);
    layer.outputs = static_cast<std::int32_t>(out[3]);
    layer.rows = down.runs();
    layer.columns = across.runs();
  }
  layer.inputs = static_cast<std::int32_t>(channels);
  if (!is_symmetric(program, program[layer.filter].quant, layer.outputs, layer.is_depthwise ? 3 : 0)) return false;
  if (layer.bias != none<value_id>) {
    const auto& quant = program[layer.bias].quant;
    const bool fits = is_plain_constant(program, layer.bias, dtype::int32) &&
                      element_count(program.shape(layer.bias)) == std::int64_t{layer.outputs} &&
                      (quant.channels == 0 || is_symmetric(program, quant, layer.outputs, 0));
    if (!fits) return false;
  }
  const auto fused = quantized::activation_of(program.text(record, "fused_activation_function", "none"));
  if (fused == quantized::activation::unknown) return false;
  layer.range = quantized::quantized_bounds<std::int8_t>(fused, layer.output_scale, layer.zero_point);
  return true;
}

/// Returns the requantization factor of an output channel, as the reference kernels compute it. `scale` is the filter's scale as float
/// bits. `is_shared` is true if all outputs share this scale. The factor is computed in double. For a fully connected layer with a shared
/// scale, the product of input scale and filter scale is first rounded to float32 (lite/kernels/kernel_util.cc, fully_connected.cc). If
/// this product overflows float32, the returned factor makes `requantized` (channel_intervals.hpp) return the whole range of the
/// activation.
constexpr auto factor_of(const quantized_layer& layer, std::uint32_t scale, bool is_shared) -> quantized::fixed_multiplier {
  const auto product = static_cast<double>(layer.input_scale) * static_cast<double>(std::bit_cast<float>(scale));
  const auto output_scale = static_cast<double>(layer.output_scale);
  if (!layer.is_fully_connected || !is_shared) return quantized::to_fixed(product / output_scale);
  constexpr auto max_float = static_cast<double>(std::numeric_limits<float>::max());
  if (!(product > -max_float && product < max_float)) return {1 << 30, 1024};
  return quantized::to_fixed(static_cast<double>(static_cast<float>(product)) / output_scale);
}

}  // namespace baton::detail
