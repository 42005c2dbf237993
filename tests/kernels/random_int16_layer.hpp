// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random layers on int16 at run time, and comparisons of a kernel with the portable one.
#pragma once

#include "int16_layer.hpp"
#include "one_node.hpp"
#include "random_layer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

/// True if the kernel computes the outputs with the constants of its channels.
template <class Kernel>
auto has_constants(const int16_layer& l, const int16_numbers& with) -> bool {
  const auto program = build(l, with.filter, with.bias);
  const baton::program_view view(program);
  return Kernel::describe(view, view.nodes[0]).plan.has_constants != 0;
}

/// Compares 800 random layers. `change(layer, draw)` may change a layer and returns the largest bias. Some layers have constants (at most
/// `max_quick`) and some do not. Some outputs are saturated.
template <class Kernel, class Portable, class Change>
void check_random_int16(op is, int max_quick, Change change) {
  int quick = 0;
  std::vector<std::int16_t> outputs;
  for (std::uint32_t seed = 0; seed < 800; ++seed) {
    one_node::drawn draw(seed);
    auto l = random_int16_layer(is, draw, seed);
    const int max_bias = change(l, draw);
    const int16_numbers with(l, draw, max_bias);
    CAPTURE(seed);
    CHECK(is_equal<Kernel, Portable>(l, with, outputs));
    quick += has_constants<Kernel>(l, with) ? 1 : 0;
  }
  CHECK(quick > 200);
  CHECK(quick < max_quick);
  const auto ends = std::count_if(outputs.begin(), outputs.end(), [](int y) { return y == 32767 || y == -32768; });
  CHECK(ends > 500);
  CHECK(static_cast<std::size_t>(ends) < outputs.size() / 2);
}

/// Checks the laws of kernels on one layer, and compares its outputs.
template <class Kernel, class Portable, int16_layer L>
void check_int16() {
  using program = baton::static_program<make_int16<L>>;
  one_node::drawn draw(5);
  const auto random = draw.elements(dtype::int16, L.shape.in_count());
  const baton::vector<char> input(random.begin(), random.end());
  CHECK(laws::kernel::all<Kernel, program>(input));
  CHECK(trial<Kernel, program>{}.run(input) == trial<Portable, program>{}.run(input));
}

}  // namespace one_layer
