// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The graph of docs/tutorial.md: three nodes, built by hand.
#pragma once

#include <baton/baton.hpp>

#include <array>
#include <bit>

namespace tutorial {

// [graph]
constexpr auto model = baton::static_program{[] {
  constexpr auto four = baton::tensor(baton::dtype::float32, 4);
  constexpr std::array<float, 4> gains{2, 1, 1, 0.5F};
  constexpr std::array<float, 4> offsets{0, -1, 1, 0};
  baton::program_builder build;
  const auto x = build.user_input("x", four);
  const auto gain = build.parameter("gain", four, std::bit_cast<std::array<char, 16>>(gains));
  const auto offset = build.parameter("offset", four, std::bit_cast<std::array<char, 16>>(offsets));
  const auto scaled = build.call("tfl.mul", {x, gain}, four, {{"fused_activation_function", "none"}});
  const auto moved = build.call("tfl.add", {scaled, offset}, four, {{"fused_activation_function", "none"}});
  build.output(build.call("tfl.softmax", {moved}, four, {{"beta", 1.0}}));
  return build.finish();
}};
// [graph]

}  // namespace tutorial
