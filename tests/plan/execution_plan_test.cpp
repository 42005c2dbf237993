// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The execution plan: kernels of all graphs that run, and operands and results that graphs pass to each other without a copy.
#include <baton/plan/execution_plan.hpp>
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/executor_backend.hpp>

#include "conformance/graphs.hpp"
#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;
using reference::any_aten;

constexpr auto pair = tensor(dtype::float32, 2);
constexpr auto truth = tensor(dtype::boolean);

constexpr auto value_named(const program_view& program, std::uint32_t graph, std::string_view name) -> value_id {
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    if (index(program.values[v].graph) == graph && program.text(program.values[v].name) == name) return static_cast<value_id>(v);
  }
  return none<value_id>;
}

constexpr auto branches_use_the_memory_of_their_caller() -> bool {
  const auto program = reference::with_data(conformance::g_cond());
  const auto plan = plan_execution(any_aten, program);
  if (!plan) return false;
  const auto location_named = [&](std::uint32_t graph, std::string_view name) {
    return plan.value.locations[index(value_named(program, graph, name))];
  };
  const auto begin = static_cast<std::int64_t>(plan.value.memory.offset_of_scratch(4));
  for (const std::uint32_t branch : {1u, 2u}) {
    if (location_named(branch, "x").offset + begin != location_named(0, "add").offset ||
        location_named(branch, "y").offset + begin != location_named(0, "y").offset)
      return false;
    if (location_named(branch, "sub_1").offset + begin != location_named(0, "cond_0").offset) return false;
  }
  // Two values between operands and result: sub, and add or mm.
  return plan.value.memory.graphs.size() == 3 && plan.value.memory.graphs[0].bytes == 32 && plan.value.memory.graphs[1].bytes == 32;
}
static_assert(branches_use_the_memory_of_their_caller());

constexpr auto loop_carried_values_share_memory_with_the_results() -> bool {
  program_builder b;
  const auto x = b.user_input("x", pair);
  const auto y = b.user_input("y", pair);
  const auto condition = b.add_graph("condition");
  b.user_input("a", pair);
  b.output(b.call("aten.lt.Tensor", {b.user_input("b", tensor(dtype::float32))}, truth));
  const auto body = b.add_graph("body");
  const auto a = b.user_input("a", pair);
  b.output(b.call("aten.add.Tensor", {a, b.user_input("b", tensor(dtype::float32))}, pair));
  b.enter(graph_id{0});
  const auto scalar = b.call("s", "aten.sum.default", {y}, tensor(dtype::float32));
  b.output(b.call_many("loop", "while_loop", {x, scalar}, {pair}, {}, {condition, body})[0]);
  const auto program = b.finish();
  const auto plan = plan_execution(any_aten, program);
  if (!plan) return false;
  const auto begin = static_cast<std::int64_t>(plan.value.memory.offset_of_scratch(1));
  const auto at = [&](value_id id) { return plan.value.locations[index(id)].offset; };
  return at(value_named(program, 1, "a")) + begin == at(value_named(program, 0, "loop_0")) &&
         at(value_named(program, 2, "a")) + begin == at(value_named(program, 0, "loop_0")) &&
         at(value_named(program, 2, "b")) + begin == at(scalar);
}
static_assert(loop_carried_values_share_memory_with_the_results());

constexpr auto constants_are_not_copied() -> bool {
  constexpr char bytes[8] = {};
  program_builder b;
  const auto weight = b.parameter("w", pair, bytes);
  const auto choose = b.user_input("choose", truth);
  const auto x = b.user_input("x", pair);
  const auto body = b.add_graph("body");
  const auto inner = b.user_input("weight", pair);
  b.output(b.call("aten.add.Tensor", {b.user_input("x", pair), inner}, pair));
  const auto other = b.add_graph("other");
  b.output(b.user_input("weight", pair));
  b.user_input("x", pair);
  b.enter(graph_id{0});
  b.output(b.call_many("choice", "cond", {choose, weight, x}, {pair}, {}, {body, other})[0]);
  const auto program = b.finish();
  const auto plan = plan_execution(any_aten, program);
  return plan && plan.value.locations[index(inner)].data == weight;
}
static_assert(constants_are_not_copied());

constexpr auto a_branch_without_a_kernel() -> exported_program {
  program_builder b;
  const auto choose = b.user_input("choose", truth);
  const auto x = b.user_input("x", pair);
  const auto left = b.add_graph("left");
  b.output(b.call("aten.relu.default", {b.user_input("x", pair)}, pair));
  const auto right = b.add_graph("right");
  b.output(b.call("inner_fft", "test.fft", {b.user_input("x", pair)}, pair));
  b.enter(graph_id{0});
  b.output(b.call_many("choice", "cond", {choose, x}, {pair}, {}, {left, right})[0]);
  return b.finish();
}
constexpr auto a_missing_kernel_in_a_branch_is_named() -> bool {
  const auto plan = plan_execution(any_aten, a_branch_without_a_kernel());
  return plan.error.is<"missing_kernel">() && view(plan.error.node_name) == "inner_fft" && plan.error.node == 2;
}
static_assert(a_missing_kernel_in_a_branch_is_named());

/// Five nodes without a kernel, of three operators in three graphs, and one node with a kernel.
constexpr auto all_operators_without_a_kernel_are_named() -> bool {
  program_builder b;
  const auto choose = b.user_input("choose", truth);
  const auto x = b.user_input("x", pair);
  const auto left = b.add_graph("left");
  b.output(b.call("test.fft", {b.user_input("x", pair)}, pair));
  const auto right = b.add_graph("right");
  b.output(b.call("test.sort", {b.call("test.sort", {b.user_input("x", pair)}, pair)}, pair));
  b.enter(graph_id{0});
  auto y = b.call("first_fft", "test.fft", {b.call("aten.relu.default", {x}, pair)}, pair);
  y = b.call("test.hash", {y}, pair);
  b.output(b.call_many("choice", "cond", {choose, y}, {pair}, {}, {left, right})[0]);
  const auto why = plan_execution(any_aten, b.finish()).error;
  return why.is<"missing_kernel">() && view(why.node_name) == "first_fft" &&
         view(why.reason) ==
             "no kernel in the list supports this operator; 5 nodes have no kernel: test.fft (2), test.hash (1), test.sort (2)";
}
static_assert(all_operators_without_a_kernel_are_named());

constexpr auto a_branch_with_other_inputs_is_named() -> bool {
  auto program = a_branch_without_a_kernel();
  program.values[2].type = dtype::int32;
  const auto plan = plan_execution(any_aten, program);
  return plan.error.is<"malformed_operator">() && view(plan.error.node_name) == "choice" &&
         view(plan.error.reason) == "subgraph left has inputs that do not match the operands";
}
static_assert(a_branch_with_other_inputs_is_named());

constexpr auto graphs_that_call_themselves_are_refused() -> bool {
  auto program = a_branch_without_a_kernel();
  program.graphs[1].nodes = program.graphs[0].nodes;
  return plan_execution(any_aten, program).error.is<"recursive_graph">();
}
static_assert(graphs_that_call_themselves_are_refused());

constexpr auto state_with_several_callers_is_refused() -> bool {
  program_builder b;
  const auto total = b.mutable_buffer("total", pair);
  const auto next = b.call("aten.add.Tensor", {b.user_input("x", pair), total}, pair);
  b.mutation(next, "total");
  b.output(next);
  const auto lowered = to_backend(backends<executor_backend>, "ExecutorBackend", b.finish());
  program_builder outer;
  const auto x = outer.user_input("x", pair);
  embedded_module counter(outer, lowered);
  outer.output(counter({counter({x})[0]})[0]);
  const auto program = outer.finish();
  const auto plan = plan_execution(any_aten, backends<executor_backend>, program);
  return plan.error.is<"shared_state">() && view(plan.error.node_name) == "executorch_call_delegate_1" &&
         view(plan.error.reason) == "buffer b_total of graph forward";
}
static_assert(state_with_several_callers_is_refused());

}  // namespace

TEST_CASE("graphs share memory with their callers") {
  CHECK(branches_use_the_memory_of_their_caller());
  CHECK(loop_carried_values_share_memory_with_the_results());
  CHECK(constants_are_not_copied());
}

TEST_CASE("a node that neither a kernel nor a backend supports is refused, in any graph (E44)") {
  CHECK(a_missing_kernel_in_a_branch_is_named());
  CHECK(all_operators_without_a_kernel_are_named());
  CHECK(a_branch_with_other_inputs_is_named());
  CHECK(graphs_that_call_themselves_are_refused());
  CHECK(state_with_several_callers_is_refused());
}
