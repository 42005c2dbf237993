// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E44
// EXPECT: baton missing_kernel: no kernel or backend computes this node; add a kernel, or delegate the node
// EXPECT: at_node<1
// EXPECT: test.fft
// EXPECT: no kernel in the list
// EXPECT: 3 nodes have no
// EXPECT: test.fft (2), test.sort
#include <baton/run/basic_executor.hpp>

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node& node) -> baton::node_description<> {
#if defined(FIXED)
    if (node.is("test.fft") || node.is("test.sort")) return {baton::accept()};
#endif
    if (node.is("test.copy")) return {baton::accept()};
    return {baton::refuse()};
  }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  const auto y = build.call("test.copy", {x}, baton::tensor(baton::dtype::int8, 4));
  const auto z = build.call("test.fft", {y}, baton::tensor(baton::dtype::int8, 4));
  const auto w = build.call("test.sort", {z}, baton::tensor(baton::dtype::int8, 4));
  build.output(build.call("test.fft", {w}, baton::tensor(baton::dtype::int8, 4)));
  return build.finish();
}};

baton::basic_executor<model, baton::kernels<copy>> net;

void infer() { net.run(); }
