// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs a model with one node, which is planned at compile time: y = x + x.
#include <baton.h>

#include <array>

constexpr auto model = baton::static_program{[] {
  constexpr auto two = baton::tensor(baton::dtype::float32, 2);
  baton::program_builder build;
  const auto x = build.user_input("x", two);
  build.output(build.call("tfl.add", {x, x}, two, {{"fused_activation_function", "none"}}));
  return build.finish();
}};

baton::executor<model> net;

void setup() { Serial.begin(115200); }

void loop() {
  std::array<float, 2> y{};
  net.run(std::array{1.5f, 21.0f}, y);
  Serial.println(y[0]);
  Serial.println(y[1]);
  delay(1000);
}
