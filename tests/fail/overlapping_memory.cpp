// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E60
// EXPECT: baton overlapping_memory: values that are live at the same time share memory; correct the plan or its policy
// EXPECT: entry 0 and entry 1
#include <baton/core/builder.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/plan/arena.hpp>

// A plan that was changed by hand.
constexpr auto check() -> baton::static_failure {
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::int8, 16);
  build.output(build.call("op", {build.user_input("x", type)}, type));
  auto plan = baton::plan_memory(build.finish()).value;
#if !defined(FIXED)
  plan.offsets[1] = plan.offsets[0];
#endif
  return baton::static_failure{baton::verify_plan(plan)};
}

constexpr auto why = check();

void infer() { baton::require_no_failure<why>(); }
