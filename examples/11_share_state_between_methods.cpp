// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs two methods of a model in one arena: `decode` continues with the cache that `prefill` has filled.
#include <baton/baton.hpp>

#include <array>
#include <cstdio>

constexpr auto two = baton::tensor(baton::dtype::float32, 2);

// Both methods have a mutable buffer with the same fully qualified name. `prefill` adds the prompt to it twice, `decode` adds a token, and
// both return the sum.
constexpr baton::static_program prefill{[] {
  baton::program_builder build;
  const auto cache = build.mutable_buffer("attention.cache", two);
  const auto prompt = build.user_input("prompt", two);
  const auto once = build.call("tfl.add", {cache, prompt}, two);
  const auto twice = build.call("tfl.add", {once, prompt}, two);
  build.mutation(twice, "attention.cache");
  build.output(once);
  return build.finish();
}};
constexpr baton::static_program decode{[] {
  baton::program_builder build;
  const auto cache = build.mutable_buffer("attention.cache", two);
  const auto next = build.call("tfl.add", {cache, build.user_input("token", two)}, two);
  build.mutation(next, "attention.cache");
  build.output(next);
  return build.finish();
}};
constexpr auto model = baton::methods(baton::method<"prefill">(prefill), baton::method<"decode">(decode));

// One arena for both, with the size of the larger one, and one copy of the cache.
baton::methods_executor<model, baton::state_sharing::by_name> net;
static_assert(net.state_bytes == 16);

auto main() -> int {
  std::array<float, 2> y{};
  net.run<"prefill">(std::array<float, 2>{10, 20}, y);
  net.run<"decode">(std::array<float, 2>{1, 2}, y);
  net.run<"decode">(std::array<float, 2>{1, 2}, y);
  std::printf("%g %g\n", static_cast<double>(y[0]), static_cast<double>(y[1]));
}

// Output:
// 22 44
