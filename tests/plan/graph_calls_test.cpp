// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The graphs that run and their order, the number of calls of each graph, and the memory that each graph adds to its caller.
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/core/builder.hpp>
#include <baton/plan/arena.hpp>
#include <baton/report/text.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto bytes_of(int size) -> tensor_type { return tensor(dtype::int8, size); }

// The root calls `body` twice, once through `outer`; `alone` is not called.
constexpr auto three_deep() -> exported_program {
  program_builder b;
  const auto xs = b.user_input("xs", tensor(dtype::int8, 2, 3, 16));
  const auto ys = b.user_input("ys", tensor(dtype::int8, 3, 16));
  const auto outer = b.add_graph("outer");
  const auto slices = b.user_input("slices", tensor(dtype::int8, 3, 16));
  const auto body = b.add_graph("body");
  b.output(b.call("big", "op", {b.call("small", "op", {b.user_input("x", bytes_of(16))}, bytes_of(64))}, bytes_of(16)));
  b.add_graph("alone");
  b.enter(outer);
  b.output(b.call_many("inner_map", "map", {slices}, {tensor(dtype::int8, 3, 16)}, {{"mapped", 1}}, {body})[0]);
  b.enter(graph_id{0});
  b.output(b.call_many("map", "map", {xs}, {tensor(dtype::int8, 2, 3, 16)}, {{"mapped", 1}}, {outer})[0]);
  b.output(b.call_many("other_map", "map", {ys}, {tensor(dtype::int8, 3, 16)}, {{"mapped", 1}}, {body})[0]);
  return b.finish();
}

constexpr auto callers_precede_the_graphs_they_call() -> bool {
  const auto graphs = graphs_that_run(three_deep());
  const auto& calls = graphs.value;
  return graphs && calls.order == baton::vector<graph_id>{graph_id{0}, graph_id{1}, graph_id{2}} && calls.counts[1] == 1 &&
         calls.counts[2] == 2 && calls.has_one_caller(graph_id{1}) && !calls.has_one_caller(graph_id{2}) && !calls.runs(graph_id{3}) &&
         calls.outer[1] == graph_id{0} && calls.caller[1] == node_id{0};
}
static_assert(callers_precede_the_graphs_they_call());

constexpr auto a_graph_is_scratch_of_its_caller() -> bool {
  const auto plan = plan_memory(three_deep()).value;
  if (verify_plan(plan) || plan.graphs.size() != 3) return false;
  // x and small, then small and big: 80 bytes. The caller adds 96 bytes, for the slices and the stacked results.
  if (plan.graphs[0].bytes != 80 || plan.graphs[1].bytes != 176 || plan.graphs[1].lower_bound != 176) return false;
  // The first call: 96 bytes in, 96 out, 176 for the graph, and 48 for the other input.
  return plan.arena_bytes == 416 && plan.lower_bound == 416 && plan.graphs[2].graph == graph_id{0};
}
static_assert(a_graph_is_scratch_of_its_caller());

constexpr auto an_aligned_graph_is_aligned_in_its_caller() -> bool {
  const auto plan = plan_memory(three_deep(), {.alignment = 64}).value;
  return !verify_plan(plan) && plan.offset_of_scratch(0) % 64 == 0 && plan.offset_of_scratch(1) % 64 == 0;
}
static_assert(an_aligned_graph_is_aligned_in_its_caller());

constexpr std::string_view expected_table =
    "memory plan: arena 416 bytes, lower bound 416 (maximum live bytes), alignment 16, strategy: largest first\n";

constexpr auto every_graph_has_a_table() -> bool {
  const auto program = three_deep();
  const auto text = report::memory_table(program, plan_memory(program).value);
  const auto words = view(text);
  return words.starts_with(expected_table) && words.find("graphs of map ") != words.npos &&
         words.find("memory of graph outer: 176 bytes, lower bound 176") != words.npos &&
         words.find("memory of graph body: 80 bytes, lower bound 80") != words.npos && words.find("alone") == words.npos;
}
static_assert(every_graph_has_a_table());

}  // namespace

TEST_CASE("graphs that call graphs have an order, a number of calls, and memory in their callers") {
  CHECK(callers_precede_the_graphs_they_call());
  CHECK(a_graph_is_scratch_of_its_caller());
  CHECK(an_aligned_graph_is_aligned_in_its_caller());
  CHECK(every_graph_has_a_table());
}
