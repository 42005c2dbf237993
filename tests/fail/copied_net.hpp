// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A net with a constant of 80 bytes.
#pragma once

#include "run/float_net.hpp"

#include <cstddef>
#include <cstring>

struct make_model_with_weights {
  constexpr auto operator()() const {
    constexpr char weights[80] = {};
    constexpr auto type = baton::tensor(baton::dtype::float32, 2, 3);
    baton::program_builder build;
    const auto x = build.user_input("x", type);
    const auto w = build.parameter("w", baton::tensor(baton::dtype::float32, 20), {weights, sizeof weights});
    build.output(build.call("test.copy", {x, w}, type));
    return build.finish();
  }
};
inline constexpr baton::static_program model_with_weights{make_model_with_weights{}};

template <class... Services>
using copied_net = baton::basic_executor<model_with_weights, baton::kernels<float_net::copy>, baton::plan_options{}, Services...>;

struct memory_copy {
  static void start(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
  static void wait() {}
};
inline baton::memory_region<1024> large_buffer;
