// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one SVDF layer on int8.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace measured_node {

using namespace baton;

/// An SVDF layer with a state of the type `State`, which is int8 or int16. All weights are 0.
template <int Inputs, int Units, int Rank, int Memory, dtype State = dtype::int16>
struct svdf {
  static constexpr int features = Units * Rank;
  static constexpr auto time_bytes = static_cast<std::size_t>((State == dtype::int8 ? 1 : 2) * features * Memory);
  static constexpr std::array<char, std::max({std::size_t{features * Inputs}, time_bytes, std::size_t{4 * Units}})> zeros{};

  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto bytes = [](std::size_t count) { return std::string_view{zeros.data(), count}; };
    const auto x = b.user_input("x", tensor(dtype::int8, 1, Inputs));
    b.quantize(x, 0.05f, 0);
    const auto feature = b.constant("feature", tensor(dtype::int8, features, Inputs), bytes(features * Inputs));
    const auto time = b.constant("time", tensor(State, features, Memory), bytes(time_bytes));
    const auto bias = b.constant("bias", tensor(dtype::int32, Units), bytes(4 * Units));
    const auto state = b.mutable_buffer("state", tensor(State, 1, features * Memory), bytes(time_bytes));
    b.quantize(feature, 0.01f, 0);
    b.quantize(time, State == dtype::int8 ? 0.01f : 3e-5f, 0);
    b.quantize(state, State == dtype::int8 ? 0.05f : 2e-4f, 0);
    const auto y = b.call("tfl.svdf", {x, feature, time, bias, state}, tensor(dtype::int8, 1, Units),
                          {{"rank", Rank}, {"fused_activation_function", "none"}});
    b.quantize(y, 0.1f, 0);
    b.output(y);
    return b.finish();
  }
};

}  // namespace measured_node
