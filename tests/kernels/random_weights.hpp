// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random weights and inputs of int8 layers at run time, extreme ones among them, and a check of a kernel against the reference.
#pragma once

#include "layer.hpp"
#include "one_node.hpp"
#include "random_layer.hpp"
#include "reference.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace one_layer {

/// The constants of a layer.
struct weights {
  std::string filter{};
  std::string bias{};
};

/// Returns equal weights and zero biases.
inline auto all_weights(const layer& l, char weight) -> weights {
  return {std::string(static_cast<std::size_t>(l.filter_count()), weight), std::string(static_cast<std::size_t>(4 * l.out_channels), '\0')};
}

/// Returns random weights: of the whole range, small ones, or all 127. Some biases are large.
inline auto random_weights(one_node::drawn& draw, const layer& l) -> weights {
  auto result = all_weights(l, '\x7f');
  const int end = draw.of({127, 127, 3, 0});
  if (end != 0) {
    for (auto& weight : result.filter) weight = static_cast<char>(draw.from_to(-end, end));
  }
  for (int c = 0; c < l.out_channels; ++c) {
    const auto number = draw.once_in(10) ? draw.from_to(-4000000, 4000000) : draw.from_to(-20000, 20000);
    put_bias(l, result.bias.data() + 4 * c, number);
  }
  return result;
}

/// Returns a random input: over the whole range, or all at one of its ends.
inline auto random_input(one_node::drawn& draw, const layer& l) -> one_node::bytes {
  one_node::bytes result(static_cast<std::size_t>(l.in_count()));
  const int first = draw.of({-128, -128, -128, 127});
  const int last = draw.of({127, 127, -128});
  for (auto& x : result) x = static_cast<char>(draw.from_to(std::min(first, last), std::max(first, last)));
  return result;
}

/// Sets a scale of a value: that of `channel`, or the only one if `channel` is 0.
inline void set_scale(baton::exported_program& program, std::size_t value, int channel, float scale) {
  put_32(program.bytes.data() + program.values[value].quant.scales.first + 4 * channel, std::bit_cast<std::uint32_t>(scale));
}
/// Sets a scale of the filter.
inline void set_filter_scale(baton::exported_program& program, int channel, float scale) { set_scale(program, 1, channel, scale); }
/// Replaces the constant filter of a layer by a value that another node computes.
inline void compute_filter(baton::exported_program& program) { program.values[1].kind = baton::value_kind::intermediate; }

/// Returns the program of a layer, which refers to the weights.
inline auto build(const layer& l, const weights& with) -> baton::exported_program { return build(l, with.filter, with.bias); }

/// Returns the program of a layer whose factors are 1/3, with float32 biases of -1/6 output. `bias` is the bias of channel 2, in sums. The
/// sum of 1/2 and three products is close to a tie of two outputs, because the factor is not exactly 1/3.
inline auto build_by_thirds(layer l, weights& with, float bias) -> baton::exported_program {
  l = once(l);
  l.has_real_bias = true;
  for (int c = 0; c < l.out_channels; ++c) put_32(with.bias.data() + 4 * c, std::bit_cast<std::uint32_t>(c == 2 ? bias : -0.5f));
  auto program = build(l, with);
  set_scale(program, 0, 0, 1);
  for (int c = 0; c < l.out_channels; ++c) set_filter_scale(program, c, 1);
  set_scale(program, program.values.size() - 1, 0, 3);
  return program;
}

/// True if `compute(program, input)` has the outputs of the kernel `Portable` for a layer of `build_by_thirds`: 200 inputs and small
/// weights, so that a third of the sums of channel 2 are close to ties.
template <class Portable, class Compute>
auto is_exact_by_thirds(const layer& l, Compute compute) -> bool {
  one_node::drawn draw(17);
  auto with = all_weights(l, '\1');
  for (auto& weight : with.filter) weight = static_cast<char>(draw.from_to(-2, 2));
  const auto program = build_by_thirds(l, with, 0.5f);
  one_node::bytes input(static_cast<std::size_t>(l.in_count()));
  for (int n = 0; n < 200; ++n) {
    for (auto& x : input) x = static_cast<char>(draw.from_to(-20, 20));
    if (compute(program, input) != one_node::run<Portable>(program, input)) return false;
  }
  return true;
}

inline auto expected(const layer& l, const weights& with, const one_node::bytes& input) -> one_node::bytes {
  const auto bytes = [](const auto& from) { return baton::vector<char>(from.begin(), from.end()); };
  const auto result = reference::compute(l, bytes(input), bytes(with.filter), bytes(with.bias));
  return {result.begin(), result.end()};
}

/// True if the output of `Kernel`, which must support the layer, equals that of the reference.
template <class Kernel>
auto is_right(const layer& l, const weights& with, const one_node::bytes& input) -> bool {
  return one_node::run<Kernel>(build(l, with), input) == expected(l, with, input);
}

}  // namespace one_layer
