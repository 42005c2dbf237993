// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton disagreeing_state: graphs that share a state disagree on its type or its initial data; make both equal in all graphs, or rename the buffer of one graph
// EXPECT: state total of graphs yes and no
#include <baton/core/builder.hpp>
#include <baton/operators/verify.hpp>
#include <baton/run/basic_executor.hpp>

constexpr auto branch(baton::program_builder& b, std::string_view name, std::int64_t size) -> baton::graph_id {
  const auto id = b.add_graph(name);
  const auto total = b.mutable_buffer("total", baton::tensor(baton::dtype::int8, size));
  b.mutation(total, "total");
  b.output(b.user_input("x", baton::tensor(baton::dtype::int8, 4)));
  return id;
}
constexpr auto choice() -> baton::exported_program {
#if defined(FIXED)
  constexpr std::int64_t other = 4;
#else
  constexpr std::int64_t other = 2;
#endif
  constexpr auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder b;
  const auto flag = b.user_input("flag", baton::tensor(baton::dtype::boolean));
  const auto x = b.user_input("x", type);
  const auto yes = branch(b, "yes", 4);
  const auto no = branch(b, "no", other);
  b.enter(baton::graph_id{0});
  b.output(b.call_many("choice", "cond", {flag, x}, {type}, {}, {yes, no})[0]);
  return b.finish();
}

constexpr baton::static_program model{[] { return choice(); }};

baton::basic_executor<model, baton::kernels<>> net;

void infer() { net.run(); }
