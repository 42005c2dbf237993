// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// From sums of products to outputs: what a layer with weights demands of its types, weights, bias, quantization and activation, and for
// int8 and float32 how the compiler's form stores output channels.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/products.hpp>
#include <baton/kernels/quantized.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::portable {

/// The types of a layer with weights, and what its sums are.
enum class arithmetic : std::int32_t {
  float32,
  int8,
  int8_by_int4,  ///< int8 inputs, weights of 4 bits, two in a byte, the first in its low half
  int16,         ///< int16 inputs, int8 weights; sums of 32 bits, requantized as those of int8
  int16_wide,    ///< the same with sums of 64 bits, which are requantized otherwise
  hybrid,        ///< float32 inputs, int8 weights: inputs are brought to 8 bits while the layer runs
};

/// Whether a layer has a form that the compiler makes for its geometry.
constexpr auto has_fast_form(arithmetic by) -> bool { return by == arithmetic::float32 || by == arithmetic::int8; }
/// Whether inputs and outputs are float32.
constexpr auto is_real(arithmetic by) -> bool { return by == arithmetic::float32 || by == arithmetic::hybrid; }

/// What the compiler knows of a layer's outputs. Structural: layers of equal ones share their code.
struct channel_output {
  arithmetic by = arithmetic::float32;
  flag has_bias = 0;
  flag has_narrow_bias = 0;  ///< int16 beside sums of 64 bits
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
  const bool is_layer = in == layer.out.type && (in == dtype::float32 ? filter == dtype::float32 || filter == dtype::int8
                                                 : in == dtype::int8  ? filter == dtype::int8 || filter == dtype::int4
                                                                      : in == dtype::int16 && filter == dtype::int8);
  check.demand(is_layer, "input ", facts(in).name, ", filter ", facts(filter).name, " and output ", facts(layer.out.type).name,
               " are no types of a layer with weights");
  if (in == dtype::float32) return filter == dtype::int8 ? arithmetic::hybrid : arithmetic::float32;
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

/// Demands what every layer with weights demands of its types, weights, bias, quantization and activation. Weights may be computed, too.
constexpr auto check_channels(node_check& check, const program_view& program, const node& record, const layer_operands& layer)
    -> channel_output {
  channel_output made{.has_bias = check.has_input(layer.bias_at), .channels = layer.channels};
  operand bias;
  if (made.has_bias) bias = check.input(layer.bias_at, "bias");
  const auto option = program.text(record, "quantized_bias_type");
  made.by = detail::arithmetic_of(check, layer, made.has_bias ? bias.type : option == "int32" ? dtype::int32 : dtype::int64);
  check.weights(layer.filter, "filter");
  if (made.has_bias) {
    made.has_narrow_bias = made.by == arithmetic::int16_wide && layer.takes_narrow_bias && bias.type == dtype::int16;
    const auto wanted = is_real(made.by)                    ? dtype::float32
                        : made.has_narrow_bias != 0         ? dtype::int16
                        : made.by == arithmetic::int16_wide ? dtype::int64
                                                            : dtype::int32;
    check.demand(bias.type == wanted, "bias is ", facts(bias.type).name);
    check.demand(bias.count == layer.channels, "bias has ", bias.count, " elements for ", layer.channels, " channels");
    check.constant_data(bias, "bias");
  }
  const auto fused = check.fused();
  if (is_real(made.by)) made.fused = fused;
  if (made.by == arithmetic::float32) return made;
  made.is_per_channel = layer.filter.quant.channels > 1;
  if (made.by != arithmetic::int16 && made.by != arithmetic::int16_wide) {
    // 255 · 128 is the largest product.
    check.demand(layer.products <= INT32_MAX / (255 * 128), "sums of ", layer.products, " products may not fit 32 bits");
  }
  check.symmetric_weights(layer.filter, layer.channels, layer.axis);
  if (made.by == arithmetic::hybrid) return made;
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

/// Which product of scales is rounded to float: none, or that of input and filter where the filter has one scale.
/// TensorFlow Lite does the one in convolutions, the other in fully connected layers.
enum class channel_scaling : std::uint8_t { in_double, one_scale_in_float };

/// The multipliers of a node of which `check_channels` holds, made in the compiler from its scales; `N` is `table_size()`.
template <std::size_t N>
constexpr auto table_of(const program_view& program, const node& record, channel_scaling scaling, std::size_t input_at = 0)
    -> detail::channel_table<N> {
  const auto& filter = program[program.inputs(record)[1]].quant;
  const auto input_scale = program.scale(program[program.inputs(record)[input_at]].quant);
  const auto output_scale = program.scale(program[program.outputs_of(record)[0]].quant);
  if (filter.channels != 1 || scaling == channel_scaling::in_double) {
    return detail::convolution_table<N>(input_scale, program.data(filter.scales), output_scale);
  }
  detail::channel_table<N> table;
  const float product = input_scale * program.scale(filter);
  detail::set_channel(table, 0, static_cast<double>(product) / static_cast<double>(output_scale));
  return table;
}

/// The output channels of an int8 layer.
template <channel_output O, bool AllRight>
struct int8_channels {
  using element = std::int8_t;
  using sum = std::int32_t;
  using factor = std::conditional_t<has_vectors, std::int16_t, std::int32_t>;  // 16 bits suffice, which vectors are glad of
  static constexpr bool is_int8 = true;
  static constexpr std::ptrdiff_t element_bytes = 1;
  static constexpr std::size_t at_once = 4;  // of x86-64's 16 vector registers and a Cortex-M's 13 others

  const char* bias;
  const std::int32_t* values;
  const std::int8_t* rights;

  static auto elements(const char* bytes) -> const element* { return reinterpret_cast<const element*>(bytes); }
  static auto elements(char* bytes) -> element* { return reinterpret_cast<element*>(bytes); }

  /// Adds the products of `N` inputs with weights of as many channels as there are sums.
  template <int N, int Pitch, std::size_t M>
  static void add(const element* from, const element* weights, std::array<sum, M>& sums) {
    add_products<O.input_zero_point, N, Pitch>(from, weights, sums);
  }

  /// Adds the products of inputs and weights that lie side by side. Copies tell a compiler that makes vectors that nothing overlaps.
  template <std::size_t M>
  static void add_each(const element* from, const element* weights, std::array<sum, M>& sums) {
    std::array<element, M> inputs;
    std::array<element, M> factors;
    std::memcpy(inputs.data(), from, M);
    std::memcpy(factors.data(), weights, M);
    for_lanes<M>([&](auto m) { sums[m] += static_cast<factor>(inputs[m] - O.input_zero_point) * factors[m]; });
  }

  /// Adds the products of one input with weights that lie side by side.
  template <std::size_t M>
  static void add_spread(const element* from, const element* weights, std::array<sum, M>& sums) {
    const auto input = static_cast<factor>(*from - O.input_zero_point);
    std::array<element, M> factors;
    std::memcpy(factors.data(), weights, M);
    for_lanes<M>([&](auto m) { sums[m] += input * factors[m]; });
  }

  /// Writes channels from `first` on of the pixel at `to`.
  template <std::size_t M>
  void store(const std::array<sum, M>& sums, std::int32_t first, element* to) const {
    for (std::size_t m = 0; m < M; ++m) {
      const auto channel = first + static_cast<std::int32_t>(m);
      auto total = sums[m];
      if constexpr (O.has_bias) total = wrapping_sum(total, load<std::int32_t>(bias, channel));
      const auto at = O.is_per_channel ? channel : 0;
      to[channel] = detail::to_int8<AllRight>(total, values[at], rights[at], O.zero_point, O.range);
    }
  }
};

/// The output channels of a float32 layer; elements are addressed in bytes.
template <channel_output O>
struct float_channels {
  using element = char;
  using sum = float;
  static constexpr bool is_int8 = false;
  static constexpr std::ptrdiff_t element_bytes = 4;
  static constexpr std::size_t at_once = 8;

  const char* bias;

  static auto elements(const char* bytes) -> const element* { return bytes; }
  static auto elements(char* bytes) -> element* { return bytes; }

  template <int N, int Pitch, std::size_t M>
  static void add(const element* from, const element* weights, std::array<sum, M>& sums) {
    add_products<N, Pitch>(from, weights, sums);
  }

  template <std::size_t M>
  static void add_each(const element* from, const element* weights, std::array<sum, M>& sums) {
    for_lanes<M>([&](auto m) {
      sums[m] += load<float>(from, static_cast<std::ptrdiff_t>(m)) * load<float>(weights, static_cast<std::ptrdiff_t>(m));
    });
  }

  template <std::size_t M>
  static void add_spread(const element* from, const element* weights, std::array<sum, M>& sums) {
    const auto input = load<float>(from);
    for_lanes<M>([&](auto m) { sums[m] += input * load<float>(weights, static_cast<std::ptrdiff_t>(m)); });
  }

  template <std::size_t M>
  void store(const std::array<sum, M>& sums, std::int32_t first, element* to) const {
    constexpr auto range = float_bounds(O.fused);
    for (std::size_t m = 0; m < M; ++m) {
      const auto channel = first + static_cast<std::int32_t>(m);
      auto total = sums[m];
      if constexpr (O.has_bias) total += load<float>(bias, channel);
      baton::portable::store(to, channel, range.clamp(total));
    }
  }
};

/// The output channels of a node, its table in read-only memory.
template <channel_output O, class Call, channel_scaling Scaling>
auto channels_of(const Call& call) {
  const char* bias = nullptr;
  if constexpr (O.has_bias) bias = call.template input<2>();
  if constexpr (O.by == arithmetic::int8) {
    static constexpr auto table = table_of<O.table_size()>(Call::program(), Call::record(), Scaling);
    return int8_channels<O, table.all_right>{bias, table.values.data(), table.rights.data()};
  } else {
    return float_channels<O>{bias};
  }
}

}  // namespace baton::portable
