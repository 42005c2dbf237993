// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton in_arena: mutable buffers last only in an arena of the program's own; this program has some; leave in_arena out, or make it a method
#include "run/float_net.hpp"

#include <cstddef>

constexpr baton::static_program model{[] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 6);
  baton::program_builder build;
  const auto x = build.user_input("x", type);
#if defined(FIXED)
  build.output(build.call("test.copy", {x}, type));
#else
  const auto before = build.mutable_buffer("before", type);
  build.mutation(x, "before");
  build.output(build.call("test.copy", {before}, type));
#endif
  return build.finish();
}};
struct alignas(16) page {
  std::byte bytes[1024];
};
page pool;
baton::basic_executor<model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_arena<pool>> net;
