// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A net that copies one float tensor of shape [2, 3].
#pragma once

#include <baton/run/basic_executor.hpp>

#include <cstring>

namespace float_net {

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory& memory) {
    std::memcpy(memory.outputs[0], memory.inputs[0], 6 * sizeof(float));
  }
};

struct make_model {
  constexpr auto operator()() const {
    constexpr auto type = baton::tensor(baton::dtype::float32, 2, 3);
    baton::program_builder build;
    const auto x = build.user_input("x", type);
    build.output(build.call("test.copy", {x}, type));
    return build.finish();
  }
};
inline constexpr baton::static_program model{make_model{}};
using net_type = baton::basic_executor<model, baton::kernels<copy>>;

}  // namespace float_net
