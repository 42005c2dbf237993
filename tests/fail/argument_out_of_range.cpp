// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E54
// EXPECT: baton misplaced_index: an index in a program does not refer to a record; rebuild the program
// EXPECT: node 0
#include <baton/core/builder.hpp>
#include <baton/run/basic_executor.hpp>

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

constexpr baton::static_program model{[] {
  const auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  build.output(build.call("test.copy", {build.user_input("x", type)}, type));
  auto program = build.finish();
#if !defined(FIXED)
  program.operands[program.nodes[0].inputs.first] = baton::value_id{2};
#endif
  return program;
}};

baton::basic_executor<model, baton::kernels<copy>> net;

void infer() { net.run(); }
