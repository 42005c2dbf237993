// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton mutated_user_input: a program writes to a user input; use a mutable buffer, or return the new value
// EXPECT: because<baton::fixed_string<17>{"user input cache"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/executor.hpp>

constexpr baton::static_program model{[] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
#if defined(FIXED)
  const auto cache = b.mutable_buffer("cache", type);
#else
  const auto cache = b.user_input("cache", type);
#endif
  const auto next = b.call("next", "tfl.add", {cache, b.user_input("x", type)}, type);
  b.mutation(next, "cache");
  b.output(next);
  return b.finish();
}};

baton::executor<model> net;
