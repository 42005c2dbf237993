// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Keeps state from run to run in a mutable buffer of the program: a filter that remembers its previous input.
#include <baton/baton.hpp>

#include <array>
#include <bit>
#include <cstdio>

// y = x + the previous x. The next run sees the current x as the previous one.
constexpr auto model = baton::static_program{[] {
  constexpr auto two = baton::tensor(baton::dtype::float32, 2);
  constexpr float at_first[] = {100, 200};
  baton::program_builder build;
  const auto before = build.mutable_buffer("before", two, std::bit_cast<std::array<char, sizeof at_first>>(at_first));
  const auto x = build.user_input("x", two);
  const auto y = build.call("tfl.add", {x, before}, two, {{"fused_activation_function", "none"}});
  build.mutation(x, "before");  // mutations come before outputs
  build.output(y);
  return build.finish();
}};

baton::executor<model> net;  // the state is part of its arena

void run(float step) {
  std::array<float, 2> y{};
  net.run(std::array{step, 10 * step}, y);
  std::printf("%g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]));
}

auto main() -> int {
  for (const float step : {1.0f, 2.0f, 3.0f}) run(step);
  std::array<char, decltype(net)::state_bytes> kept{};
  net.save(kept);  // copies the state, to continue later, here or in another executor of the model
  net.reset();     // back to the initial state
  run(1);
  net.restore(kept);
  run(4);
}

// Output:
// 101 210
// 3 30
// 5 50
// 101 210
// 7 70
