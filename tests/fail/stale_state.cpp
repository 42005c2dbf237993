// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton stale_state: a graph uses the old value of a state after a graph that it calls has written the state; return the new value from the called graph, and use it
// EXPECT: choice
// EXPECT: state total, which choice writes
#include <baton/core/builder.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/operators/verify.hpp>

constexpr auto choice() -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder b;
  const auto flag = b.user_input("flag", baton::tensor(baton::dtype::boolean));
  const auto x = b.user_input("x", type);
  const auto total = b.mutable_buffer("total", type);
  const auto branch = b.add_graph("branch");
  const auto mine = b.mutable_buffer("total", type);
  const auto next = b.user_input("x", type);
  b.mutation(next, "total");
  b.output(mine);
  b.enter(baton::graph_id{0});
  const auto output = b.call_many("choice", "cond", {flag, x}, {type}, {}, {branch, branch})[0];
#if defined(FIXED)
  static_cast<void>(total);
  b.output(output);
#else
  b.output(total);
  static_cast<void>(output);
#endif
  return b.finish();
}

constexpr baton::static_program model{[] { return choice(); }};
constexpr auto why = baton::static_failure{baton::verify(model.value())};

void check() { baton::require_no_failure<why>(); }
