// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random layers on int16 at run time, and a comparison of two kernels.
#pragma once

#include "int16_layer.hpp"
#include "one_node.hpp"
#include "random_layer.hpp"

#include <cstdint>
#include <string>

namespace one_layer {

/// Returns a random layer of an operator. Its weights and inputs may be at the ends of their range.
inline auto random_int16_layer(op is, one_node::drawn& draw, std::uint32_t seed) -> int16_layer {
  int16_layer l{.shape = random_layer(is, seed)};
  if (is != op::depthwise_conv_2d && draw.once_in(3)) l.bias = dtype::int32;
  l.filter_scale = draw.of({0.001f, 0.01f, 0.2f});
  l.output_scale = draw.of({0.0001f, 0.002f, 0.05f});
  return l;
}

/// The weights, biases and an input of a layer.
struct int16_numbers {
  std::string filter;
  std::string bias;
  one_node::bytes input;

  int16_numbers(const int16_layer& l, one_node::drawn& draw, int max_bias) {
    const auto same = draw.of({0, 0, 0, 1, 2});  // 0: random numbers, else all at the same end of the range
    filter.resize(static_cast<std::size_t>(l.shape.filter_count()));
    for (auto& w : filter) w = static_cast<char>(same == 0 ? draw.from_to(-128, 127) : same == 1 ? -128 : 127);
    bias.resize(static_cast<std::size_t>(l.shape.out_channels * l.bias_bytes()));
    for (int i = 0; i < l.shape.out_channels; ++i)
      put_int16_layer_bias(l, bias.data() + l.bias_bytes() * i, draw.from_to(-max_bias, max_bias));
    std::vector<std::int16_t> numbers(static_cast<std::size_t>(l.shape.in_count()));
    for (auto& x : numbers) x = static_cast<std::int16_t>(same == 0 ? draw.from_to(-32768, 32767) : -32768);
    input = one_node::bytes_of(numbers);
  }
};

/// True if the outputs of two kernels are equal. Adds the outputs to `outputs`.
template <class Kernel, class Portable>
auto is_equal(const int16_layer& l, const int16_numbers& with, std::vector<std::int16_t>& outputs) -> bool {
  const auto program = build(l, with.filter, with.bias);
  const auto actual = one_node::run<Kernel>(program, with.input);
  for (const auto y : one_node::numbers_of<std::int16_t>(actual)) outputs.push_back(y);
  return actual == one_node::run<Portable>(program, with.input);
}

}  // namespace one_layer
