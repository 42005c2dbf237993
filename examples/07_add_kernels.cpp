// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes an operator with a user-defined kernel; the portable kernels compute the others.
#include <baton/baton.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>

// The plan of a node: everything that `compute` needs to know. It is a constant of the node, so loops have constant bounds.
struct square_plan {
  std::size_t count = 0;
};

struct square {
  static constexpr baton::literal_name operators[] = {"my_company.square"};

  // Whether the node is supported, and the plan. Everything that `compute` relies on must be checked here.
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<square_plan> {
    const auto x = program.inputs(record)[0];
    if (program[x].type != baton::dtype::float32) {
      return {baton::refuse("squares are of float32, not of ", baton::facts(program[x].type).name)};
    }
    return {baton::accept(), {static_cast<std::size_t>(baton::element_count(program.shape(x)))}};
  }
  static void compute(const square_plan& plan, const baton::node_memory& at) {
    for (std::size_t i = 0; i < plan.count; ++i) {
      float x = 0;
      std::memcpy(&x, at.inputs[0] + i * sizeof x, sizeof x);
      x *= x;
      std::memcpy(at.outputs[0] + i * sizeof x, &x, sizeof x);
    }
  }
};

constexpr auto model = baton::static_program{[] {
  constexpr auto two = baton::tensor(baton::dtype::float32, 2);
  baton::program_builder build;
  const auto x = build.user_input("x", two);
  const auto squared = build.call("my_company.square", {x}, two);
  build.output(build.call("tfl.add", {squared, x}, two, {{"fused_activation_function", "none"}}));
  return build.finish();
}};

// The first kernel that supports a node computes it. So a kernel in front of the default ones also replaces one of them.
baton::executor<model, baton::with_kernels<baton::kernels<square> + baton::default_kernels>> net;

auto main() -> int {
  std::array<float, 2> y{};
  net.run(std::array{3.0f, 4.0f}, y);
  std::printf("%g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]));
}

// Output:
// 12 20
