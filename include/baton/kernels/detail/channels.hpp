// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// From sums of products to outputs: bias, requantization, zero point and activation of a layer's output channels, for int8 and float32.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/products.hpp>
#include <baton/kernels/quantized.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::portable {

/// What the compiler knows of a layer's outputs. Structural: layers of equal ones share their code.
struct channel_output {
  flag is_int8 = 0;
  flag has_bias = 0;
  flag is_per_channel = 0;  ///< whether each channel has a multiplier of its own
  std::int32_t channels = 1;
  std::int32_t input_zero_point = 0;
  std::int32_t zero_point = 0;
  bounds<std::int32_t> range{};         ///< of int8
  activation fused = activation::none;  ///< of float; the int8 range has it in it

  constexpr auto table_size() const -> std::size_t { return is_per_channel ? static_cast<std::size_t>(channels) : 1; }
};
static_assert(has_no_padding<channel_output>);

/// The operands of a layer with weights: operand 0 is the input, 1 the filter, 2 the bias.
struct layer_operands {
  operand in{};
  operand filter{};
  operand out{};
  std::int32_t channels = 1;  ///< of the output
  std::int32_t axis = 0;      ///< of the filter, along which scales differ
  std::int32_t products = 1;  ///< that make one output
};

/// Demands what every layer with weights demands of its types, weights, bias, quantization and activation.
constexpr auto check_channels(node_check& check, const layer_operands& layer) -> channel_output {
  channel_output made{.is_int8 = layer.in.is_int8(), .has_bias = check.has_input(2), .channels = layer.channels};
  const bool same_types = layer.in.type == layer.filter.type && layer.in.type == layer.out.type;
  check.demand(same_types && (layer.in.is_int8() || layer.in.is_float()), "input ", facts(layer.in.type).name, ", filter ",
               facts(layer.filter.type).name, " and output ", facts(layer.out.type).name, " are not all int8 or all float32");
  check.constant_data(layer.filter, "filter");
  if (made.has_bias) check.bias(2, made.is_int8, layer.channels);
  const auto fused = check.fused();
  if (!made.is_int8) {
    made.fused = fused;
    return made;
  }
  // 255 · 128 is the largest product.
  check.demand(layer.products <= INT32_MAX / (255 * 128), "sums of ", layer.products, " products may not fit 32 bits");
  check.symmetric_weights(layer.filter, layer.channels, layer.axis);
  const auto in = check.per_tensor(layer.in, "input");
  const auto out = check.per_tensor(layer.out, "output");
  made.is_per_channel = layer.filter.quant.channels > 1;
  made.input_zero_point = in.zero_point;
  made.zero_point = out.zero_point;
  made.range = quantized_bounds<std::int8_t>(fused, out.scale, out.zero_point);
  return made;
}

/// Which product of scales is rounded to float: none, or that of input and filter where the filter has one scale.
/// TensorFlow Lite does the one in convolutions, the other in fully connected layers.
enum class channel_scaling : std::uint8_t { in_double, one_scale_in_float };

/// The multipliers of a node of which `check_channels` holds, made in the compiler from its scales; `N` is `table_size()`.
template <std::size_t N>
constexpr auto table_of(const program_view& program, const node& record, channel_scaling scaling) -> channel_table<N> {
  const auto& filter = program[program.inputs(record)[1]].quant;
  const auto input_scale = program.scale(program[program.inputs(record)[0]].quant);
  const auto output_scale = program.scale(program[program.outputs_of(record)[0]].quant);
  if (filter.channels != 1 || scaling == channel_scaling::in_double) {
    return convolution_table<N>(input_scale, program.data(filter.scales), output_scale);
  }
  channel_table<N> table;
  const float product = input_scale * program.scale(filter);
  set_channel(table, 0, static_cast<double>(product) / static_cast<double>(output_scale));
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
      if constexpr (O.has_bias) total += load<std::int32_t>(bias, channel);
      const auto at = O.is_per_channel ? channel : 0;
      to[channel] = to_int8<AllRight>(total, values[at], rights[at], O.zero_point, O.range);
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
  if constexpr (O.is_int8) {
    static constexpr auto table = table_of<O.table_size()>(Call::program(), Call::record(), Scaling);
    return int8_channels<O, table.all_right>{bias, table.values.data(), table.rights.data()};
  } else {
    return float_channels<O>{bias};
  }
}

}  // namespace baton::portable
