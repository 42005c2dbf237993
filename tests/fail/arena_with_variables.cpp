// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a program with resource variables cannot keep them in memory of the caller; remove in_arena or in_regions
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/run/basic_executor.hpp>

struct anything {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

// A resource variable is a state, too.
constexpr baton::static_program model{[] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  const auto x = b.user_input("x", type);
  const auto handle = b.call("tfl.var_handle", {}, baton::tensor(baton::dtype::resource), {{"shared_name", "history"}});
  b.output(b.call("tfl.read_variable", {handle}, type));
  b.call_many("assign", "tfl.assign_variable", {handle, x}, {});
  return b.finish();
}};
baton::for_one_executor<baton::memory_region<1024>> pool;
#if defined(FIXED)
baton::basic_executor<model, baton::kernels<anything>> net;
#else
baton::basic_executor<model, baton::kernels<anything>, baton::plan_options{}, baton::in_arena<pool>> net;
#endif
