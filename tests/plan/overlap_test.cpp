// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy that overlaps: its bound and its search, compared with all placements of small chains, and on random graphs.
#include <baton/core/builder.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/shared/distances_of_step.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/lower_bound.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace baton;

/// A chain of tensors of 48, 96 and 48 bytes.
constexpr auto widened_and_narrowed() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 48));
  const auto y = b.call("y", "test.widen", {x}, tensor(dtype::int8, 96));
  b.output(b.call("z", "test.narrow", {y}, tensor(dtype::int8, 48)));
  return b.finish();
}

constexpr auto planned(baton::span<const declared_distance> distances, std::uint32_t alignment, memory_request request = {})
    -> result<memory_plan> {
  const auto program = widened_and_narrowed();
  const auto calls = graphs_that_run(program);
  request.distances = distances;
  return plan_memory(program, calls.value, {alignment}, request, planned_by<memory_policies::in_place>{});
}

constexpr auto outputs_overlap_dying_operands() -> bool {
  constexpr std::array distances{declared_distance{0, value_id{0}, value_id{1}, {50, min_distance::disjoint}},
                                 declared_distance{1, value_id{1}, value_id{2}, {min_distance::disjoint, 0}}};
  const auto fine = planned(distances, 1);
  const auto coarse = planned(distances, 16);
  return fine && fine.value.arena_bytes == 98 && fine.value.lower_bound == 98 && fine.value.is_optimal && fine.value.policy == "in_place" &&
         fine.value.strategy == "by distances" && fine.value.order_of(0) == write_order::ascending && coarse.value.arena_bytes == 64 + 48 &&
         coarse.value.is_optimal;
}
static_assert(outputs_overlap_dying_operands());

constexpr auto without_distances_it_equals_best() -> bool {
  const auto plan = planned({}, 16);
  return plan && plan.value.arena_bytes == 144 && plan.value.policy == "in_place" && plan.value.strategy == "largest first";
}
static_assert(without_distances_it_equals_best());

// The scratch of a node overlaps neither its operand nor its output.
constexpr auto scratch_overlaps_nothing() -> bool {
  constexpr std::array distances{declared_distance{0, value_id{0}, value_id{1}, {0, 0}},
                                 declared_distance{1, value_id{1}, value_id{2}, {0, 0}}};
  constexpr std::array<std::uint32_t, 2> scratch{32, 16};
  memory_request request;
  request.scratch_bytes = scratch;
  const auto plan = planned(distances, 16, request);
  return plan && plan.value.arena_bytes == 96 + 32 && plan.value.is_optimal && !verify_plan(plan.value);
}
static_assert(scratch_overlaps_nothing());

// If a node reads two values that share memory, both distances must hold. If one is missing, the output may not overlap.
constexpr auto operands_that_share_memory_keep_all_distances() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 48));
  const auto same = b.call("same", "test.forward", {x}, tensor(dtype::int8, 48));
  b.output(b.call("y", "test.add", {x, same}, tensor(dtype::int8, 48)));
  const auto program = b.finish();
  const auto calls = graphs_that_run(program);
  storage_map storage(program.values.size());
  storage.place(same, {container::value, storage_reason::forwarded, index(x)});
  const std::array both{declared_distance{1, x, value_id{2}, {0, 0}}, declared_distance{1, same, value_id{2}, {16, 16}}};
  const auto bytes_of = [&](baton::span<const declared_distance> distances) {
    memory_request request;
    request.storage = &storage;
    request.distances = distances;
    return plan_memory(program, calls.value, {}, request, planned_by<memory_policies::in_place>{}).value.arena_bytes;
  };
  return bytes_of(both) == 64 && bytes_of(baton::span{both}.first(1)) == 96;
}
static_assert(operands_that_share_memory_keep_all_distances());

/// Lifetimes and distances as the planner computes them: in each step one output begins, and operands of it may end.
struct random_problem {
  std::vector<lifetime> items;
  std::vector<distance> distances;
  memory_problem problem;
};

auto random_graph(std::mt19937& engine, std::uint32_t steps, std::uint64_t max_bytes, bool is_chain) -> random_problem {
  const auto up_to = [&](std::uint64_t n) { return static_cast<std::uint32_t>(engine() % (n + 1)); };
  random_problem generated;
  generated.problem.alignment = 1;
  generated.items.push_back({0, 0, 1 + up_to(max_bytes - 1)});
  for (std::uint32_t step = 0; step < steps; ++step) {
    // The output is read by the next step, or by one of the next three.
    const auto last = step + 1 + (is_chain ? 0 : up_to(3) / 3 * up_to(2));
    const auto output = static_cast<std::uint32_t>(generated.items.size());
    generated.items.push_back({step, std::min(last, steps), 1 + up_to(max_bytes - 1)});
    for (std::uint32_t i = 0; i < output; ++i) {
      const auto& input = generated.items[i];
      if (input.last != step || input.first > step || up_to(7) == 0) continue;
      distance each{step, i, output};
      const auto bytes = static_cast<std::int64_t>(generated.items[output].bytes);
      each.ascending = std::max<std::int64_t>(0, bytes - static_cast<std::int64_t>(input.bytes)) + up_to(4);
      if (up_to(1) == 0) each.descending = bytes - static_cast<std::int64_t>(input.bytes) - each.ascending;
      generated.distances.push_back(each);
    }
    if (!is_chain && up_to(3) == 0) generated.items.push_back({step, step, 1 + up_to(max_bytes / 4)});  // scratch
  }
  return generated;
}

/// Returns the problem with views of its items and distances, which are valid until it is moved.
auto with_views(random_problem& generated) -> const memory_problem& {
  generated.problem.items = {generated.items.data(), generated.items.size()};
  generated.problem.distances = {generated.distances.data(), generated.distances.size()};
  generated.problem.lower_bound = lower_bound(generated.problem.items);
  return generated.problem;
}

auto is_valid(const memory_problem& problem, const placement& placed) -> bool {
  for (std::uint32_t a = 0; a < problem.items.size(); ++a) {
    if (placed.offsets[a] + problem.items[a].bytes > placed.bytes) return false;
    for (std::uint32_t b = 0; b < a; ++b) {
      if (!detail::live_together(problem.items[a], problem.items[b])) continue;
      if (!detail::share_memory(problem.items[a], placed.offsets[a], problem.items[b], placed.offsets[b])) continue;
      const auto is_pair = [&](const distance& each) { return each.input == b && each.output == a; };
      if (std::none_of(problem.distances.begin(), problem.distances.end(), is_pair)) return false;
    }
  }
  for (const auto& each : problem.distances) {
    const auto step_distances = distances_of_step(problem.distances, each.step);
    if (!detail::distances_hold(problem.items, step_distances, placed.offsets, write_order::ascending) &&
        !detail::distances_hold(problem.items, step_distances, placed.offsets, write_order::descending))
      return false;
  }
  return true;
}

/// Returns the minimum of bytes over all placements of a chain, in which two items are live at a time. Tries each size, and computes the
/// possible offsets of each item.
auto min_bytes_of_chain(const memory_problem& problem) -> std::uint64_t {
  const auto may_follow = [&](std::uint32_t item, std::uint64_t before, std::uint64_t at) {
    if (!detail::share_memory(problem.items[item - 1], before, problem.items[item], at)) return true;
    const auto step_distances = distances_of_step(problem.distances, item - 1);
    return !step_distances.empty() &&
           (step_distances[0].allows(before, at, write_order::ascending) || step_distances[0].allows(before, at, write_order::descending));
  };
  for (std::uint64_t bytes = 1;; ++bytes) {
    std::vector<std::uint64_t> reached;
    for (std::uint32_t item = 0; item < problem.items.size(); ++item) {
      std::vector<std::uint64_t> next;
      for (std::uint64_t at = 0; at + problem.items[item].bytes <= bytes; ++at) {
        if (item == 0 || std::any_of(reached.begin(), reached.end(), [&](auto before) { return may_follow(item, before, at); }))
          next.push_back(at);
      }
      reached = std::move(next);
      if (reached.empty()) break;
    }
    if (!reached.empty()) return bytes;
  }
}

/// One operand and several outputs that begin in its last step, with distances from it.
auto random_outputs(std::mt19937& engine) -> random_problem {
  const auto up_to = [&](std::uint64_t n) { return static_cast<std::int64_t>(engine() % (n + 1)); };
  random_problem generated;
  generated.problem.alignment = 1;
  const auto input = 1 + up_to(5);
  generated.items.push_back({0, 0, static_cast<std::uint64_t>(input)});
  const auto outputs = 2 + up_to(1);
  for (std::uint32_t output = 1; output <= outputs; ++output) {
    const auto bytes = 1 + up_to(3);
    generated.items.push_back({0, 1, static_cast<std::uint64_t>(bytes)});
    distance each{0, 0, output};
    each.ascending = up_to(2) - up_to(3) / 3;
    if (up_to(1) == 0) each.descending = bytes - input - (up_to(2) - up_to(3) / 3);
    generated.distances.push_back(each);
  }
  return generated;
}

/// Returns the minimum of bytes over all placements of an operand and its outputs.
auto min_bytes_of_outputs(const memory_problem& problem) -> std::uint64_t {
  placement tried;
  tried.offsets.assign(problem.items.size(), std::uint64_t{0});
  for (tried.bytes = 1;; ++tried.bytes) {
    for (auto& offset : tried.offsets) offset = 0;
    for (std::size_t digit = 0; digit != problem.items.size();) {  // counts through all offsets
      if (is_valid(problem, tried)) return tried.bytes;
      for (digit = 0; digit < problem.items.size(); ++digit) {
        if (++tried.offsets[digit] + problem.items[digit].bytes <= tried.bytes) break;
        tried.offsets[digit] = 0;
      }
    }
  }
}

}  // namespace

TEST_CASE("several outputs of an operand are written in one order, and need the minimum of bytes over all placements") {
  std::mt19937 engine(20261128);
  int at_bound = 0;
  for (int i = 0; i < 300; ++i) {
    auto generated = random_outputs(engine);
    const auto& problem = with_views(generated);
    const auto placed = memory_policies::in_place::place(problem);
    CAPTURE(i);
    CHECK(is_valid(problem, placed));
    CHECK(placed.bytes == min_bytes_of_outputs(problem));
    CHECK(placed.lower_bound <= placed.bytes);
    at_bound += placed.is_optimal ? 1 : 0;
  }
  CAPTURE(at_bound);
  CHECK(at_bound > 150);
}

TEST_CASE("outputs are at the minimum distance from operands, and scratch overlaps neither") {
  CHECK(outputs_overlap_dying_operands());
  CHECK(without_distances_it_equals_best());
  CHECK(scratch_overlaps_nothing());
  CHECK(operands_that_share_memory_keep_all_distances());
}

TEST_CASE("chains need the minimum of bytes over all placements, and never less than the bound") {
  std::mt19937 engine(20261122);
  int at_bound = 0;
  for (int i = 0; i < 400; ++i) {
    auto generated = random_graph(engine, 2 + static_cast<std::uint32_t>(i) % 3, 20, true);
    const auto& problem = with_views(generated);
    const auto placed = memory_policies::in_place::place(problem);
    CHECK(is_valid(problem, placed));
    CHECK(placed.bytes == min_bytes_of_chain(problem));
    CHECK(placed.lower_bound <= placed.bytes);
    if (!problem.distances.empty()) CHECK(placed.is_optimal == (placed.bytes == placed.lower_bound));
    at_bound += placed.is_optimal ? 1 : 0;
  }
  CHECK(at_bound > 340);  // the others cannot reach the bound
}

TEST_CASE("graphs of any shape need no more bytes than without overlap, and mostly reach the bound") {
  std::mt19937 engine(7);
  int at_bound = 0;
  int smaller = 0;
  for (int i = 0; i < 300; ++i) {
    auto generated = random_graph(engine, 3 + static_cast<std::uint32_t>(i) % 20, 4000, false);
    const auto& problem = with_views(generated);
    const auto placed = memory_policies::in_place::place(problem);
    const auto disjoint = memory_policies::no_overlap::place(problem);
    CHECK(is_valid(problem, placed));
    CHECK(placed.bytes <= disjoint.bytes);
    CHECK(placed.lower_bound <= placed.bytes);
    at_bound += placed.is_optimal ? 1 : 0;
    smaller += placed.bytes < disjoint.bytes ? 1 : 0;
  }
  CAPTURE(at_bound);
  CHECK(at_bound > 200);
  CHECK(smaller > 250);
}
