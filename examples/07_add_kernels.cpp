// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes an operator with a kernel of one's own; the portable kernels do the rest.
#include <baton/baton.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>

// A kernel says what it supports, all that its `run` relies on, and computes. Program and node are constants: loops have fixed bounds.
struct square {
  static constexpr auto supports(const baton::program_view& program, const baton::node& record) -> baton::verdict {
    if (!record.is("my_company.square")) return baton::refuse();
    const auto& x = program[program.inputs(record)[0]];
    if (x.type != baton::dtype::float32) return baton::refuse("squares are of float32, not of ", baton::facts(x.type).name);
    return baton::accept();
  }
  template <class Call>
  static void run(const Call& call) {
    constexpr auto count = static_cast<std::size_t>(baton::element_count(Call::program().shape(Call::output_id(0))));
    for (std::size_t i = 0; i < count; ++i) {
      float x = 0;
      std::memcpy(&x, call.template input<0>() + i * sizeof x, sizeof x);
      x *= x;
      std::memcpy(call.template output<0>() + i * sizeof x, &x, sizeof x);
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

// The first kernel that supports a node computes it, so one's own in front also takes the place of a portable one.
baton::executor<model, baton::with_kernels<baton::kernels<square> + baton::default_kernels>> net;

auto main() -> int {
  std::array<float, 2> y{};
  net.run(std::array{3.0f, 4.0f}, y);
  std::printf("%g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]));
}

// Output:
// 12 20
