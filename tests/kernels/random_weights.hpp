// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random weights and inputs of int8 layers at run time, extreme ones among them, and a check of a kernel against the reference.
#pragma once

#include "layer.hpp"
#include "one_node.hpp"
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
    put_32(result.bias.data() + 4 * c, static_cast<std::uint32_t>(number));
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

/// Sets a scale of the filter: that of `channel`, or the only one if `channel` is 0.
inline void set_filter_scale(baton::exported_program& program, int channel, float scale) {
  put_32(program.bytes.data() + program.values[1].quant.scales.first + 4 * channel, std::bit_cast<std::uint32_t>(scale));
}
/// Replaces the constant filter of a layer by a value that another node computes.
inline void compute_filter(baton::exported_program& program) { program.values[1].kind = baton::value_kind::intermediate; }

/// Returns the program of a layer, which refers to the weights.
inline auto build(const layer& l, const weights& with) -> baton::exported_program { return build(l, with.filter, with.bias); }

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
