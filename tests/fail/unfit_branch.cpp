// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton malformed_operator: the operands or attributes of a node do not fit its operator; see the reason
// EXPECT: choice
// EXPECT: subgraph right has inputs that
#include <baton/run/basic_executor.hpp>

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

#if defined(FIXED)
constexpr auto size = 4;
#else
constexpr auto size = 5;
#endif

constexpr baton::static_program model{[] {
  constexpr auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  const auto choose = build.user_input("choose", baton::tensor(baton::dtype::boolean));
  const auto x = build.user_input("x", type);
  const auto left = build.add_graph("left");
  build.output(build.call("test.copy", {build.user_input("x", type)}, type));
  const auto right = build.add_graph("right");
  build.output(build.call("test.copy", {build.user_input("x", baton::tensor(baton::dtype::int8, size))}, type));
  build.enter(baton::graph_id{0});
  build.output(build.call_many("choice", "cond", {choose, x}, {type}, {}, {left, right})[0]);
  return build.finish();
}};

baton::basic_executor<model, baton::kernels<copy>> net;

void infer() { net.run(); }
