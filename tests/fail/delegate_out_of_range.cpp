// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E52
// EXPECT: baton misplaced_index: an index in a program does not refer to a record; rebuild the program
// EXPECT: node 0
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/executor_backend.hpp>

constexpr baton::static_program model{[] {
  const auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  build.output(build.user_input("x", type));
  auto lowered = baton::standalone_program(baton::to_backend(baton::backends<baton::executor_backend>, "ExecutorBackend", build.finish()));
#if !defined(FIXED)
  lowered.nodes[0].delegate = baton::delegate_id{1};
#endif
  return lowered;
}};

#if defined(FIXED)
struct wrapped {
  using backend_types = baton::backend_list<baton::executor_backend>;
  constexpr auto operator()() const { return baton::thaw(model); }
};
constexpr baton::static_program<wrapped> program;
#else
constexpr auto program = model;
#endif

baton::basic_executor<program, baton::kernels<>> net;

void infer() { net.run(); }
