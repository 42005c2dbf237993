// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton shared_state: a graph with mutable buffers is called from several places; copy it for each caller
// EXPECT: executorch_call_delegate_1
// EXPECT: buffer b_total
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/executor_backend.hpp>

#include "conformance/wrapping.hpp"

struct add {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

constexpr auto counter() -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  const auto total = build.mutable_buffer("total", type);
  const auto next = build.call("test.add", {build.user_input("x", type), total}, type);
  build.mutation(next, "total");
  build.output(next);
  return build.finish();
}

constexpr auto twice() -> baton::exported_program {
  const auto lowered = baton::to_backend(baton::backends<baton::executor_backend>, "ExecutorBackend", counter());
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  baton::embedded_module first(build, lowered);
#if defined(FIXED)
  baton::embedded_module second(build, lowered);
#else
  auto& second = first;
#endif
  build.output(second({first({x})[0]})[0]);
  return build.finish();
}

constexpr baton::static_program<conformance::wrapping<twice, baton::executor_backend>> model;

baton::basic_executor<model, baton::kernels<add>> net;

void infer() { net.run(); }
