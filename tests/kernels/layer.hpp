// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One-layer programs that are built at compile time from a description, and the memory map to run their kernel.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/verify.hpp>

#include "laws/kernel.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace one_layer {

using baton::dtype;
using baton::quantized::activation;
using baton::quantized::rounding;

enum class op { conv_2d, depthwise_conv_2d, fully_connected, average_pool_2d, max_pool_2d };

/// A layer with a window. A fully connected layer has an input of shape [batch, channels].
struct layer {
  op is = op::conv_2d;
  bool is_int8 = true;
  int batch = 1;
  int height = 1;
  int width = 1;
  int channels = 1;  ///< of the input
  int out_channels = 1;
  int filter_height = 1;
  int filter_width = 1;
  int stride_h = 1;
  int stride_w = 1;
  int dilation_h = 1;
  int dilation_w = 1;
  bool is_same = true;
  int groups = 1;
  bool has_bias = true;
  bool is_per_channel = true;
  activation fused = activation::none;
  int input_zero_point = -3;
  int zero_point = 5;
  bool has_negative_scales = false;  ///< every other filter scale is negative, or the only scale
  // An operator of the namespace `baton` instead of `tfl`. `is_same` is then ignored.
  bool is_baton = false;
  int top = 0;
  int left = 0;
  int bottom = 0;
  int right = 0;
  rounding round = rounding::twice;
  int output_min = -128;
  int output_max = 127;
  bool has_real_bias = false;  ///< whether the bias of an int8 layer is float32
  bool has_factors = false;    ///< whether operands state the factors of an int8 layer, and attributes its zero points, not the scales
  int bias_step = 5;           ///< of int8 layers; biases are up to 2,048 times as large
  int numerator = 1;           ///< of a factor of the output scale
  int denominator = 1;

  constexpr auto has_weights() const -> bool { return is != op::average_pool_2d && is != op::max_pool_2d; }
  constexpr auto out_size(int in, int filter, int stride, int dilation, int padding) const -> int {
    if (is_same && !is_baton) return (in + stride - 1) / stride;
    return (in + padding - (filter - 1) * dilation - 1) / stride + 1;
  }
  constexpr auto out_height() const -> int { return out_size(height, filter_height, stride_h, dilation_h, top + bottom); }
  constexpr auto out_width() const -> int { return out_size(width, filter_width, stride_w, dilation_w, left + right); }
  constexpr auto in_count() const -> int { return batch * height * width * channels; }
  constexpr auto out_count() const -> int { return batch * out_height() * out_width() * out_channels; }
  constexpr auto products() const -> int { return filter_height * filter_width * (is == op::depthwise_conv_2d ? 1 : channels / groups); }
  constexpr auto filter_count() const -> int { return out_channels * products(); }
  constexpr auto bytes_of(int count) const -> int { return is_int8 ? count : 4 * count; }
  constexpr auto input_scale() const -> float { return 0.05f; }
  constexpr auto filter_scale(int channel) const -> float {
    const auto scale = is_per_channel ? 0.004f + 0.0007f * static_cast<float>(channel % 11) : 0.0061f;
    return has_negative_scales && (channel % 2 == 0 || !is_per_channel) ? -scale : scale;
  }
  /// Returns a scale such that int8 outputs fill their range and sometimes saturate.
  constexpr auto output_scale() const -> float {
    if (!has_weights()) return input_scale();
    float root = 1;
    while (root * root < static_cast<float>(products())) root += 1;
    return root * 0.05f * 0.006f * 90 * static_cast<float>(numerator) / static_cast<float>(denominator);
  }
};

/// Returns a layer as an operator of the namespace `baton` that rounds once, with these numbers of pixels as padding.
constexpr auto once(layer l, int top = 0, int left = 0, int bottom = 0, int right = 0) -> layer {
  l.is_baton = true;
  l.top = top;
  l.left = left;
  l.bottom = bottom;
  l.right = right;
  l.round = rounding::once;
  return l;
}

constexpr auto next_random(std::uint32_t& state) -> std::uint32_t {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

constexpr void put_32(char* to, std::uint32_t bits) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<char>(bits >> (8 * i) & 0xff);
}

/// Returns random int8 numbers of the whole range, or float32 numbers in [-1, 1), after `Skip` zero bytes.
template <std::size_t Bytes, std::size_t Skip = 0>
constexpr auto random_elements(bool is_int8, std::uint32_t seed) -> std::array<char, Skip + Bytes> {
  std::array<char, Skip + Bytes> result{};
  for (std::size_t i = Skip; i < Skip + Bytes; i += is_int8 ? 1 : 4) {
    const auto bits = next_random(seed);
    if (is_int8) {
      result[i] = static_cast<char>(bits >> 24);
    } else {
      put_32(result.data() + i, std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 8) / 8388608.0f - 1.0f));
    }
  }
  return result;
}

/// Returns random biases after `Skip` zero bytes. Biases of int8 layers are multiples of `step`; the default is in the thousands, as the
/// sums of products are.
template <std::size_t Channels, std::size_t Skip = 0>
constexpr auto random_bias(bool is_int8, int step = 5) -> std::array<char, Skip + 4 * Channels> {
  std::array<char, Skip + 4 * Channels> result{};
  std::uint32_t seed = 77;
  for (std::size_t i = 0; i < Channels; ++i) {
    const auto number = static_cast<std::int32_t>(next_random(seed)) >> 20;
    put_32(result.data() + Skip + 4 * i,
           is_int8 ? static_cast<std::uint32_t>(number * step) : std::bit_cast<std::uint32_t>(static_cast<float>(number) / 2048.0f));
  }
  return result;
}

// Weights start at an odd address, because kernels must not rely on the alignment of a model's data.
template <layer L>
alignas(16) inline constexpr auto filter_bytes = random_elements<static_cast<std::size_t>(L.bytes_of(L.filter_count())), 1>(L.is_int8,
                                                                                                                            12345);
template <layer L>
alignas(16) inline constexpr auto bias_bytes = random_bias<static_cast<std::size_t>(L.out_channels), 1>(L.is_int8 && !L.has_real_bias,
                                                                                                        L.bias_step);

constexpr auto name_of(activation fused) -> const char* {
  switch (fused) {
    case activation::relu:
      return "relu";
    case activation::relu6:
      return "relu6";
    case activation::relu_n1_to_1:
      return "relu_n1_to_1";
    default:
      return "none";
  }
}

constexpr auto name_of(op is) -> const char* {
  switch (is) {
    case op::conv_2d:
      return "tfl.conv_2d";
    case op::depthwise_conv_2d:
      return "tfl.depthwise_conv_2d";
    case op::fully_connected:
      return "tfl.fully_connected";
    case op::average_pool_2d:
      return "tfl.average_pool_2d";
    case op::max_pool_2d:
      return "tfl.max_pool_2d";
  }
  return "";
}

/// Returns the type of a layer's input, with elements of `type`.
constexpr auto input_type(const layer& l, dtype type) -> baton::tensor_type {
  return l.is == op::fully_connected ? baton::tensor(type, l.batch, l.channels)
                                     : baton::tensor(type, l.batch, l.height, l.width, l.channels);
}
/// Returns the type of a layer's weights, with elements of `type`.
constexpr auto filter_type(const layer& l, dtype type) -> baton::tensor_type {
  if (l.is == op::fully_connected) return baton::tensor(type, l.out_channels, l.channels);
  if (l.is == op::conv_2d) return baton::tensor(type, l.out_channels, l.filter_height, l.filter_width, l.channels / l.groups);
  return baton::tensor(type, 1, l.filter_height, l.filter_width, l.out_channels);
}
/// Returns the type of a layer's output, with elements of `type`.
constexpr auto output_type(const layer& l, dtype type) -> baton::tensor_type {
  return l.is == op::fully_connected ? baton::tensor(type, l.batch, l.out_channels)
                                     : baton::tensor(type, l.batch, l.out_height(), l.out_width(), l.out_channels);
}
/// Quantizes the weights `filter`: one scale for each output channel, or for all. `scale_of(c)` is the scale of channel `c`.
template <class ScaleOf>
constexpr void quantize_filter(baton::program_builder& b, baton::value_id filter, const layer& l, ScaleOf scale_of) {
  baton::vector<float> scales;
  for (int c = 0; c < (l.is_per_channel ? l.out_channels : 1); ++c) scales.push_back(scale_of(c));
  b.quantize(filter, scales, baton::vector<std::int64_t>(scales.size(), 0), l.is == op::depthwise_conv_2d ? 3 : 0);
}
/// Returns the attributes of a layer's operator in the namespace `tfl`.
constexpr auto attributes_of(const layer& l) -> std::array<baton::named_literal, 10> {
  return {{{"padding", l.is_same ? "same" : "valid"},
           {"stride_h", l.stride_h},
           {"stride_w", l.stride_w},
           {"dilation_h_factor", l.dilation_h},
           {"dilation_w_factor", l.dilation_w},
           {"filter_height", l.filter_height},
           {"filter_width", l.filter_width},
           {"depth_multiplier", l.out_channels / l.channels},
           {"fused_activation_function", name_of(l.fused)},
           {"keep_num_dims", false}}};
}
/// Adds the node of a layer with weights, with outputs of `type`. The node also has `attribute`, and no size of the filter.
constexpr auto call_layer(baton::program_builder& b, const layer& l, std::initializer_list<baton::value_id> inputs, dtype type,
                          const baton::named_literal& attribute) -> baton::value_id {
  const auto all = attributes_of(l);
  return b.call(name_of(l.is), inputs, output_type(l, type), {all[0], all[1], all[2], all[3], all[4], all[7], all[8], attribute, all[9]});
}

/// Returns the program of a layer. Value 0 is the input, the last value is the output. The weights refer to `filter` and `bias`.
constexpr auto build(const layer& l, std::string_view filter, std::string_view bias) -> baton::exported_program {
  baton::program_builder b;
  const auto type = l.is_int8 ? dtype::int8 : dtype::float32;
  const auto x = b.user_input("x", input_type(l, type));
  std::array<baton::value_id, 5> inputs{x, baton::none<baton::value_id>, baton::none<baton::value_id>};
  if (l.has_weights()) {
    inputs[1] = b.parameter("filter", filter_type(l, type));
    b.at(inputs[1]).data = b.view(filter);
    if (l.has_bias) {
      inputs[2] = b.parameter("bias", baton::tensor(l.is_int8 && !l.has_real_bias ? dtype::int32 : dtype::float32, l.out_channels));
      b.at(inputs[2]).data = b.view(bias);
    }
  }
  const auto y = b.add_value(b.make_value("y", output_type(l, type), baton::value_kind::intermediate));
  if (l.has_factors) {
    baton::vector<char> multipliers, shifts;
    for (int c = 0; c < (l.is_per_channel ? l.out_channels : 1); ++c) {
      const auto by = baton::quantized::to_fixed(static_cast<double>(l.input_scale()) * static_cast<double>(l.filter_scale(c)) /
                                                 static_cast<double>(l.output_scale()));
      for (int i = 0; i < 4; ++i) {
        multipliers.push_back(static_cast<char>(by.value >> (8 * i) & 0xff));
        shifts.push_back(static_cast<char>(by.shift >> (8 * i) & 0xff));
      }
    }
    const auto type_of = baton::tensor(dtype::int32, multipliers.size() / 4);
    inputs[3] = b.constant("multipliers", type_of, {multipliers.data(), multipliers.size()});
    inputs[4] = b.constant("shifts", type_of, {shifts.data(), shifts.size()});
  } else if (l.is_int8) {
    b.quantize(x, l.input_scale(), l.input_zero_point);
    b.quantize(y, l.output_scale(), l.has_weights() ? l.zero_point : l.input_zero_point);
    if (l.has_weights()) quantize_filter(b, inputs[1], l, [&l](int channel) { return l.filter_scale(channel); });
  }
  const auto literals = attributes_of(l);
  const std::size_t count = l.has_factors ? 5 : l.has_weights() ? 3 : 1;
  if (l.is_baton) {
    const std::array<std::int64_t, 4> pads{l.top, l.left, l.bottom, l.right};
    const auto operator_name = baton::join("baton.", std::string_view(name_of(l.is)).substr(4));
    const std::array<baton::named_literal, 15> own{{literals[1],
                                                    literals[2],
                                                    literals[3],
                                                    literals[4],
                                                    literals[5],
                                                    literals[6],
                                                    literals[7],
                                                    literals[8],
                                                    literals[9],
                                                    {"pads", baton::span<const std::int64_t>{pads}},
                                                    {"rounding", l.round == rounding::once ? "once" : "twice"},
                                                    {"output_min", l.output_min},
                                                    {"output_max", l.output_max},
                                                    {"input_zero_point", l.input_zero_point},
                                                    {"output_zero_point", l.zero_point}}};
    // Only integers have bounds, and only layers with factors have the last two literals.
    b.add_node(b.make_node("y", baton::view(operator_name)), baton::span{inputs}.first(count), baton::span{&y, 1},
               baton::span<const baton::named_literal>{own}.first(l.has_factors ? 15
                                                                  : l.is_int8   ? 13
                                                                                : 11));
  } else {
    b.add_node(b.make_node("y", name_of(l.is)), baton::span{inputs}.first(count), baton::span{&y, 1}, literals);
  }
  b.output(y);
  return b.finish();
}

template <layer L>
struct make {
  constexpr auto operator()() const -> baton::exported_program {
    if constexpr (L.has_weights()) {
      return build(L, {filter_bytes<L>.data() + 1, filter_bytes<L>.size() - 1}, {bias_bytes<L>.data() + 1, bias_bytes<L>.size() - 1});
    } else {
      return build(L, {}, {});
    }
  }
};

/// The same layer as `make`, with int8 weights of -127 instead of -128.
template <layer L>
alignas(16) inline constexpr auto symmetric_filter_bytes = [] {
  auto bytes = filter_bytes<L>;
  for (auto& each : bytes) each = each == static_cast<char>(-128) ? static_cast<char>(-127) : each;
  return bytes;
}();
template <layer L>
struct make_symmetric {
  constexpr auto operator()() const -> baton::exported_program {
    return build(L, {symmetric_filter_bytes<L>.data() + 1, symmetric_filter_bytes<L>.size() - 1},
                 {bias_bytes<L>.data() + 1, bias_bytes<L>.size() - 1});
  }
};

/// Returns the size of a value in bytes.
constexpr auto bytes_of(const baton::program_view& program, baton::value_id id) -> std::size_t {
  return static_cast<std::size_t>(baton::byte_count(program[id].type, program.shape(id)));
}
/// Returns the size in bytes of the user inputs before `id` in the root graph, or of all of them if `id` is not a user input.
constexpr auto bytes_before(const baton::program_view& program, baton::value_id id) -> std::size_t {
  std::size_t bytes = 0;
  for (const auto input : program.inputs(program.root())) {
    if (input == id) break;
    if (program[input].kind == baton::value_kind::user_input) bytes += bytes_of(program, input);
  }
  return bytes;
}

/// The memory map of a one-node program: the user inputs are stored one after another from offset 0 of the arena, the output at offset
/// `OutputAt`.
template <class Program, std::size_t OutputAt>
struct memory_map {
  template <baton::value_id Id>
  static auto address(const char* arena) -> const char* {
    if constexpr (Program::value()[Id].kind == baton::value_kind::user_input) {
      return arena + bytes_before(Program::value(), Id);
    } else {
      static constexpr auto bytes = baton::program_view(Program::value()).data(Program::value()[Id].data);
      return bytes.data();
    }
  }
  template <baton::value_id>
  static auto writable(char* arena) -> char* {
    return arena + OutputAt;
  }
  template <std::uint32_t>
  static auto scratch(char*) -> baton::span<char> {
    return {};
  }
  template <std::uint32_t>
  static constexpr auto prepared() -> baton::span<const char> {
    return {};
  }
  static constexpr auto order_of(std::uint32_t) -> baton::write_order { return baton::write_order::ascending; }
};

using laws::kernel::trial;

}  // namespace one_layer
