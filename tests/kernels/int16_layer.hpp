// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one layer on int16 with int8 weights, random ones among them.
#pragma once

#include "layer.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace one_layer {

/// A layer on int16. `shape.is_int8` and the scales of `shape` have no meaning.
struct int16_layer {
  layer shape{};
  dtype bias = dtype::int64;  ///< int64: sums of 64 bits; int32: sums of 32 bits
  float filter_scale = 0.01f;
  float output_scale = 0.002f;
  int input_zero_point = 0;
  int zero_point = 0;

  constexpr auto bias_bytes() const -> int { return bias == dtype::int64 ? 8 : 4; }
};

/// Returns the program of a layer. The weights refer to `filter` and `bias`.
constexpr auto build(const int16_layer& layer, std::string_view filter, std::string_view bias) -> baton::exported_program {
  const auto& l = layer.shape;
  baton::program_builder b;
  const auto x = b.user_input("x", input_type(l, dtype::int16));
  const auto w = b.parameter("filter", filter_type(l, dtype::int8));
  b.at(w).data = b.view(filter);
  auto c = baton::none<baton::value_id>;
  if (l.has_bias) {
    c = b.parameter("bias", baton::tensor(layer.bias, l.out_channels));
    b.at(c).data = b.view(bias);
  }
  const auto y = call_layer(b, l, {x, w, c}, dtype::int16, {"quantized_bias_type", layer.bias == dtype::int32 ? "int32" : "int64"});
  b.quantize(x, 0.0005f, layer.input_zero_point);
  b.quantize(y, layer.output_scale, layer.zero_point);
  quantize_filter(b, w, l, [&layer](int channel) { return layer.filter_scale * static_cast<float>(1 + channel % 3); });
  b.output(y);
  return b.finish();
}

/// Writes a bias.
constexpr void put_int16_layer_bias(const int16_layer& l, char* to, std::int64_t number) {
  for (int i = 0; i < l.bias_bytes(); ++i) to[i] = static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xff);
}

/// Random biases, after a zero byte that only makes the address of the others odd.
template <int16_layer L>
inline constexpr auto int16_layer_biases = [] {
  std::array<char, 1 + static_cast<std::size_t>(L.shape.out_channels * L.bias_bytes())> result{};
  std::uint32_t seed = 77;
  for (int i = 0; i < L.shape.out_channels; ++i)
    put_int16_layer_bias(L, result.data() + 1 + L.bias_bytes() * i, static_cast<std::int32_t>(next_random(seed)) >> 16);
  return result;
}();
template <int16_layer L>
inline constexpr auto int16_layer_filter = random_elements<static_cast<std::size_t>(L.shape.filter_count()), 1>(true, 12345);

template <int16_layer L>
struct make_int16 {
  constexpr auto operator()() const -> baton::exported_program {
    const auto& filter = int16_layer_filter<L>;
    const auto& bias = int16_layer_biases<L>;
    return build(L, {filter.data() + 1, filter.size() - 1}, {bias.data() + 1, bias.size() - 1});
  }
};

}  // namespace one_layer
