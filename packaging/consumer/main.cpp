// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A small use of the library, which the test of each channel compiles: a model with one node, planned at compile time.
#include <baton/baton.hpp>

#include <array>
#include <cstdio>

constexpr auto model = baton::static_program{[] {
  constexpr auto two = baton::tensor(baton::dtype::float32, 2);
  baton::program_builder build;
  const auto x = build.user_input("x", two);
  build.output(build.call("tfl.add", {x, x}, two, {{"fused_activation_function", "none"}}));
  return build.finish();
}};

baton::executor<model> net;

auto main() -> int {
  std::array<float, 2> y{};
  net.run(std::array{1.5f, 21.0f}, y);
  std::printf("baton %d.%d.%d: %g %g\n", baton::version_major, baton::version_minor, baton::version_patch, static_cast<double>(y[0]),
              static_cast<double>(y[1]));
  return y == std::array{3.0f, 42.0f} ? 0 : 1;
}
