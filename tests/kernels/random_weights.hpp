// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Weights and inputs of int8 layers that are made at run time, their ends among them, and whether a kernel computes with them what the
// reference does.
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

/// All weights alike, and no bias.
inline auto all_weights(const layer& l, char weight) -> weights {
  return {std::string(static_cast<std::size_t>(l.filter_count()), weight), std::string(static_cast<std::size_t>(4 * l.out_channels), '\0')};
}

/// Weights of either sign, small ones only, or none but 127; now and then a large bias.
inline auto random_weights(one_node::drawn& draw, const layer& l) -> weights {
  auto made = all_weights(l, '\x7f');
  const int end = draw.of({127, 127, 3, 0});
  if (end != 0) {
    for (auto& weight : made.filter) weight = static_cast<char>(draw.from_to(-end, end));
  }
  for (int c = 0; c < l.out_channels; ++c) {
    const auto number = draw.once_in(10) ? draw.from_to(-4000000, 4000000) : draw.from_to(-20000, 20000);
    put_32(made.bias.data() + 4 * c, static_cast<std::uint32_t>(number));
  }
  return made;
}

/// Over the whole range, or at one of its ends.
inline auto random_input(one_node::drawn& draw, const layer& l) -> one_node::bytes {
  one_node::bytes made(static_cast<std::size_t>(l.in_count()));
  const int least = draw.of({-128, -128, -128, 127});
  const int most = draw.of({127, 127, -128});
  for (auto& x : made) x = static_cast<char>(draw.from_to(std::min(least, most), std::max(least, most)));
  return made;
}

/// Gives a channel of the filter, or all of them, another scale.
inline void set_filter_scale(baton::exported_program& program, int channel, float scale) {
  put_32(program.bytes.data() + program.values[1].quant.scales.first + 4 * channel, std::bit_cast<std::uint32_t>(scale));
}
/// Makes the filter of a layer something that another node computes.
inline void compute_filter(baton::exported_program& program) { program.values[1].kind = baton::value_kind::intermediate; }

/// The program views the weights.
inline auto build(const layer& l, const weights& with) -> baton::exported_program { return build(l, with.filter, with.bias); }

inline auto expected(const layer& l, const weights& with, const one_node::bytes& input) -> one_node::bytes {
  const auto bytes = [](const auto& from) { return baton::vector<char>(from.begin(), from.end()); };
  const auto made = reference::compute(l, bytes(input), bytes(with.filter), bytes(with.bias));
  return {made.begin(), made.end()};
}

/// Whether a kernel, which must take the layer, gives what the reference does.
template <class Kernel>
auto is_right(const layer& l, const weights& with, const one_node::bytes& input) -> bool {
  return one_node::run<Kernel>(build(l, with), input) == expected(l, with, input);
}

}  // namespace one_layer
