// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Errors of the planner, E60 and E61, and the errors E52 and E54 of the delegation specification. The original's runtime reports E52 and
// E54 during a run, Baton reports them before the run. The compiler generates the executor's calls from a program that `verify` accepts. So
// no instruction can refer to a missing delegate or argument.
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/compat/executorch/target_device.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/run/executor_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

constexpr auto lowered_sine() -> exported_program {
  return standalone_program(to_backend(backends<executor_backend>, "ExecutorBackend", conformance::g_sin()));
}

constexpr auto a_delegate_index_out_of_range_is_refused() -> bool {
  auto program = lowered_sine();
  program.nodes[0].delegate = delegate_id{1};
  const auto why = verify(program);
  return !verify(lowered_sine()) && why.is<"misplaced_index">() && view(why.reason) == "node 0";
}
static_assert(a_delegate_index_out_of_range_is_refused());

constexpr auto an_argument_index_out_of_range_is_refused() -> bool {
  auto program = lowered_sine();
  program.operands[program.nodes[0].inputs.first] = static_cast<value_id>(program.values.size());
  const auto why = verify(program);
  return why.is<"misplaced_index">() && view(why.reason) == "node 0";
}
static_assert(an_argument_index_out_of_range_is_refused());

constexpr auto a_call_without_arguments_is_refused() -> bool {
  auto program = lowered_sine();
  program.nodes[0].inputs.size = 0;
  const auto why = verify(program);
  return why.is<"malformed_operator">() && why.node == 0;
}
static_assert(a_call_without_arguments_is_refused());

constexpr auto overlapping_values_are_found() -> bool {
  auto plan = plan_memory(conformance::g_mmadd()).value;
  if (verify_plan(plan)) return false;
  plan.offsets[1] = plan.offsets[0];
  const auto why = verify_plan(plan);
  return why.is<"overlapping_memory">() && view(why.reason) == "entry 0 and entry 1";
}
static_assert(overlapping_values_are_found());

// The original's planner cannot resolve some chains of values that contain each other, and its naive algorithm cannot resolve any. In
// Baton, a value that shares memory refers to its container, and each chain is followed to its end. Separate values may still share memory.
constexpr auto chains_of_shared_memory_are_resolved() -> bool {
  const auto program = conformance::g_mmadd();
  storage_map storage(program.values.size());
  const auto output_of = [&](std::size_t n) { return program.outputs_of(program.nodes[n])[0]; };
  const auto product = output_of(0);
  storage.place(output_of(1), {container::value, storage_reason::forwarded, index(product)});
  storage.place(output_of(2), {container::value, storage_reason::forwarded, index(output_of(1))});
  for (const chosen_policy& policy :
       {chosen_policy(planned_by<memory_policies::no_overlap>{}), chosen_policy(planned_by<memory_policies::no_reuse>{})}) {
    const auto plan = plan_memory(program, {}, storage, policy);
    if (!plan || verify_plan(plan.value)) return false;
    if (plan.value.offset_of(program.outputs_of(program.nodes[2])[0]) != plan.value.offset_of(product)) return false;
  }
  return true;
}
static_assert(chains_of_shared_memory_are_resolved());

constexpr auto an_unknown_device_is_refused() -> bool {
  const auto why = read_device("gpu:0").error;
  return why.is<"unknown_device">() && view(why.reason) == "gpu:0; the valid kinds are: cpu cuda" &&
         read_device("CUDA").value == target_device{device_kind::cuda, 0};
}
static_assert(an_unknown_device_is_refused());

}  // namespace

TEST_CASE("a memory plan with overlapping live values is refused (E60)") {
  CHECK(overlapping_values_are_found());
  CHECK(chains_of_shared_memory_are_resolved());
}
TEST_CASE("an unknown kind of device is refused, and the valid ones are listed (E61)") { CHECK(an_unknown_device_is_refused()); }

TEST_CASE("a program whose call names a delegate that it does not have is refused (E52)") {
  CHECK(a_delegate_index_out_of_range_is_refused());
}
TEST_CASE("a program whose delegate call has a bad argument, or none, is refused (E54)") {
  CHECK(an_argument_index_out_of_range_is_refused());
  CHECK(a_call_without_arguments_is_refused());
}
