// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs with branches, loops and states, planned at run time by several policies: each output of several runs in the planned
// memory equals that of the reference. BATON_PROPERTY_SEEDS is the number of programs, 1000 by default.
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies.hpp>

#include "nodes/interpreter.hpp"
#include "properties/environment.hpp"
#include "properties/properties.hpp"
#include "properties/random_program.hpp"
#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;
using nodes::bytes;

/// A node of a program that is read at run time. The program must not move.
struct node_reference {
  const program_view* program = nullptr;
  const node* record = nullptr;
};

/// `reference::any_aten_kernel` for programs that are read at run time. An output may replace any operand.
struct aten_in_place {
  static auto describe(const program_view& program, const node& record) -> node_description<node_reference> {
    if (!program.text(record.target).starts_with("aten.")) return {refuse()};
    node_description<node_reference> result{accept(), {&program, &record}, {}};
    result.facts.operands.fill({.distance = {0, 0}});
    return result;
  }
  static void compute(const node_reference& at, const node_memory& memory) {
    reference::compute_by_reference(*at.program, *at.record, memory);
  }
};
/// `reference::step_kernel` for programs that are read at run time.
struct planned_step {
  static auto describe(const program_view& program, const node& record) -> node_description<node_reference> {
    return {record.is("tfl.custom.STEP") ? accept() : refuse(), {&program, &record}};
  }
  static void compute(const node_reference& at, const node_memory& memory) {
    const auto& program = *at.program;
    const auto inputs = program.inputs(*at.record);
    auto state = reference::tensor_from(program, inputs[0], memory.inputs[0]);
    const auto result = reference::step_state(state, reference::tensor_from(program, inputs[1], memory.inputs[1]));
    reference::tensor_to(memory.states[0], program, inputs[0], state);
    reference::tensor_to(memory.outputs[0], program, program.outputs_of(*at.record)[0], result);
  }
};
constexpr auto list = kernels<reference::forwarded_view, planned_step, aten_in_place>;

/// The sums over random programs.
struct tally {
  std::size_t runs = 0;
  std::size_t wrong = 0;
  std::size_t with_called_graphs = 0;
  std::size_t with_overlaps = 0;  ///< plans that need less memory than one without reuse
};

void check_program(const program_view& program, tally& sum) {
  constexpr std::array<chosen_policy, 3> policies{planned_by<memory_policies::no_reuse>{}, planned_by<memory_policies::no_overlap>{},
                                                  planned_by<memory_policies::in_place>{}};
  std::uint64_t separate = 0;
  for (const auto& policy : policies) {
    CAPTURE(policy.name);
    const auto plan = plan_execution(list, program, {4}, policy);
    if (plan.error.is<"shared_state">()) return;  // a graph with several callers has a state
    REQUIRE(plan);
    if (separate == 0) separate = plan.value.memory.arena_bytes;
    sum.with_called_graphs += plan.value.calls.order.size() > 1 ? 1u : 0u;
    sum.with_overlaps += plan.value.memory.arena_bytes < separate ? 1u : 0u;
    nodes::interpreter net(program, &plan.value);
    reference::state buffers;
    for (std::uint64_t run = 1; run <= 3; ++run) {
      const auto tensors = reference::some_inputs(program, run);
      bytes input;
      std::size_t next = 0;
      for (const auto id : program.inputs(program.root())) {
        if (program[id].kind != value_kind::user_input) continue;
        const auto at = input.size();
        input.resize(at + net.size_of(id));
        reference::tensor_to(input.data() + at, program, id, tensors[next++]);
      }
      bytes output;
      REQUIRE(net.run(list, input, output) == "");
      const auto expected = reference::evaluate(program, tensors, buffers);
      std::size_t at = 0;
      next = 0;
      bool is_equal = true;
      for (const auto& entry : program.outputs_of(program.root())) {
        if (entry.kind != output_kind::user_output) continue;
        is_equal = is_equal && properties::same_bits(reference::tensor_from(program, entry.value, output.data() + at), expected[next++]);
        at += net.size_of(entry.value);
      }
      sum.runs += 1;
      sum.wrong += is_equal ? 0u : 1u;
    }
  }
}

}  // namespace

TEST_CASE("random programs with branches, loops and states run in the memory of their plans") {
  using enum properties::amount_of_state;
  const auto seeds = properties::number_from_environment("BATON_PROPERTY_SEEDS", 1000);
  tally sum;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    constexpr std::array<properties::amount_of_state, 4> states{none, some, much, in_place};
    const auto program = reference::with_data(properties::make_program(seed, {8, 2, states[seed % 4]}));
    if (verify(program)) continue;
    const auto wrong = sum.wrong;
    check_program(program, sum);
    CHECK(sum.wrong == wrong);
  }
  CHECK(sum.runs > 8 * seeds);
  CHECK(sum.with_called_graphs > seeds);
  CHECK(sum.with_overlaps > seeds);
  MESSAGE(sum.runs, " runs, ", sum.with_called_graphs, " plans with called graphs, ", sum.with_overlaps, " that share memory");
}
