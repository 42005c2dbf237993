// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Schedules: the order of a policy is planned, run and reported, and an invalid order is detected.
#include <baton/plan/schedule.hpp>

#include <baton/core/builder.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/memory_policies.hpp>
#include <baton/plan/schedule_policy.hpp>
#include <baton/plan/shared/chosen_schedule.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/report/text.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/last_first.hpp"

namespace {

using namespace baton;

constexpr auto numbers = tensor(dtype::float32, 1, 64);

/// Two branches of four nodes, one after the other, and their sum.
constexpr auto two_branches() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", numbers);
  std::array<value_id, 2> ends{};
  for (std::size_t branch = 0; branch < 2; ++branch) {
    auto at = b.call("tfl.abs", {x}, numbers);
    for (int i = 0; i < 3; ++i) at = b.call(i % 2 == 0 ? "tfl.neg" : "tfl.square", {at}, numbers);
    ends[branch] = at;
  }
  b.output(b.call("sum", "tfl.add", {ends[0], ends[1]}, numbers));
  return b.finish();
}
constexpr auto model = static_program{[] { return two_branches(); }};

/// Orders the nodes by depth, so that the branches alternate.
struct interleaved {
  static constexpr std::string_view name = "interleaved";
  static constexpr auto order(const schedule_problem& problem) -> baton::vector<std::uint32_t> {
    const auto count = problem.program[problem.graph].nodes.size;
    baton::vector<std::uint32_t> depth(count, 0);
    for (const auto& [before, after] : problem.dependencies) depth[after] = std::max(depth[after], depth[before] + 1);
    baton::vector<std::uint32_t> sequence;
    for (std::uint32_t level = 0; sequence.size() < count; ++level) {
      for (std::uint32_t n = 0; n < count; ++n) {
        if (depth[n] == level) sequence.push_back(n);
      }
    }
    return sequence;
  }
};
static_assert(schedule_policy<interleaved>);

constexpr auto branches_alternate() -> bool {
  const auto planned = plan_execution(portable_kernels, model, {}, planned_by<memory_policies::no_overlap>{}, scheduled_by<interleaved>{});
  if (!planned) return false;
  const std::array<std::uint32_t, 9> expected{0, 4, 1, 5, 2, 6, 3, 7, 8};
  const auto& steps = planned.value.memory.steps;
  if (steps.nodes.size() != expected.size() || steps.steps.size() != expected.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (index(steps.nodes[i]) != expected[i] || steps.step_of[expected[i]] != i) return false;
  }
  return true;
}
static_assert(branches_alternate());

/// Returns the error of a schedule of the two branches in this order.
constexpr auto error_of(std::initializer_list<std::uint32_t> order) -> failure {
  const auto calls = graphs_that_run(model);
  schedule steps;
  steps.graph_steps.assign(1, range{});
  steps.step_of.assign(program_view(model).nodes.size(), npos);
  detail::add_steps(steps, model, graph_id{0}, {order.begin(), order.size()});
  return verify_schedule(steps, model, calls.value);
}
static_assert(!error_of({0, 1, 2, 3, 4, 5, 6, 7, 8}) && !error_of({4, 0, 5, 1, 2, 3, 6, 7, 8}));
static_assert(error_of({0, 1, 2, 3, 4, 5, 6, 7}) && error_of({0, 0, 1, 2, 3, 4, 5, 6, 7}) && error_of({0, 1, 2, 3, 4, 5, 6, 7, 9}));
static_assert(error_of({1, 0, 2, 3, 4, 5, 6, 7, 8}) && error_of({0, 1, 2, 4, 5, 6, 7, 8, 3}));

constexpr auto reason_of(std::initializer_list<std::uint32_t> order) -> std::string {
  const auto why = error_of(order);
  return {why.reason.data(), why.reason.size()};
}

/// Reads a variable before its mutation. The accesses must remain in the order of the program.
constexpr auto with_state() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 1, 4));
  const auto state = b.mutable_buffer("state", tensor(dtype::float32, 1, 4), std::array<char, 16>{});
  const auto before = b.call("before", "tfl.abs", {state}, tensor(dtype::float32, 1, 4));
  b.mutation(b.call("next", "tfl.add", {state, x}, tensor(dtype::float32, 1, 4)), "state");
  b.output(b.call("both", "tfl.add", {before, x}, tensor(dtype::float32, 1, 4)));
  return b.finish();
}

struct backwards {
  static constexpr std::string_view name = "backwards";
  static constexpr auto order(const schedule_problem& problem) -> baton::vector<std::uint32_t> {
    auto sequence = archetypes::schedule_policy::order(problem);
    std::reverse(sequence.begin(), sequence.end());
    return sequence;
  }
};

}  // namespace

TEST_CASE("alternating branches compute the same as consecutive ones") {
  static basic_executor<model, portable_kernels> consecutive;
  static basic_executor<model, portable_kernels, plan_options{}, scheduled_by<interleaved>> alternating;
  std::array<float, 64> x{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 20.5f;
  std::array<float, 64> expected{};
  std::array<float, 64> output{};
  consecutive.run(x, expected);
  alternating.run(x, output);
  CHECK(output == expected);
  CHECK(alternating.arena_bytes >= consecutive.arena_bytes);
  std::vector<std::uint32_t> nodes;
  std::copy(x.begin(), x.end(), alternating.input<0>().begin());
  alternating.run([&](const auto& call) { nodes.push_back(call.index); });
  CHECK(nodes == std::vector<std::uint32_t>{0, 4, 1, 5, 2, 6, 3, 7, 8});
}

TEST_CASE("an invalid order of a program is detected, with the reason") {
  CHECK(reason_of({0, 1, 2, 3, 4, 5, 6, 7}).ends_with("only 8 of 9 nodes have a step"));
  CHECK(reason_of({0, 0, 1, 2, 3, 4, 5, 6, 7}).find("a step has node 0, which is in another step or not in the graph") !=
        std::string::npos);
  CHECK(reason_of({0, 1, 2, 4, 5, 6, 7, 8, 3}).starts_with("it depends on "));
  const auto planned = plan_execution(portable_kernels, model, {}, planned_by<memory_policies::no_overlap>{}, scheduled_by<backwards>{});
  REQUIRE(!planned);
  CHECK(planned.error.is<"invalid_schedule">());
  CHECK(view(planned.error.reason).starts_with("policy backwards: it depends on "));
}

TEST_CASE("a state is read and written in the order of the program") {
  static constexpr auto program = static_program{[] { return with_state(); }};
  static basic_executor<program, portable_kernels> in_program_order;
  static basic_executor<program, portable_kernels, plan_options{}, scheduled_by<plan_tests::last_first>> in_another_order;
  const std::array<float, 4> x{1, 2, 3, 4};
  for (int i = 0; i < 3; ++i) {
    std::array<float, 4> expected{};
    std::array<float, 4> output{};
    in_program_order.run(x, expected);
    in_another_order.run(x, output);
    CHECK(output == expected);
  }
}
