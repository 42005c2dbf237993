// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton missing_kernel: no kernel or backend computes this node; add a kernel, or delegate the node
// EXPECT: inner_fft
// EXPECT: test.fft
// EXPECT: no kernel in the list
#include <baton/run/basic_executor.hpp>

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node& node) -> baton::node_description<> {
#if defined(FIXED)
    if (node.is("test.fft")) return {baton::accept()};
#endif
    if (node.is("test.copy")) return {baton::accept()};
    return {baton::refuse()};
  }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

constexpr baton::static_program model{[] {
  constexpr auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  const auto choose = build.user_input("choose", baton::tensor(baton::dtype::boolean));
  const auto x = build.user_input("x", type);
  const auto left = build.add_graph("left");
  build.output(build.call("test.copy", {build.user_input("x", type)}, type));
  const auto right = build.add_graph("right");
  build.output(build.call("inner_fft", "test.fft", {build.user_input("x", type)}, type));
  build.enter(baton::graph_id{0});
  build.output(build.call_many("choice", "cond", {choose, x}, {type}, {}, {left, right})[0]);
  return build.finish();
}};

baton::basic_executor<model, baton::kernels<copy>> net;

void infer() { net.run(); }
