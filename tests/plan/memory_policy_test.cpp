// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Custom policies, and the errors in policies that the planner detects.
#include <baton/plan/memory_policy.hpp>
#include <baton/core/builder.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/pinned_states.hpp>

#include "plan/sliding.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string_view>

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

constexpr std::array declared{declared_distance{0, value_id{0}, value_id{1}, {47, 47}},
                              declared_distance{1, value_id{1}, value_id{2}, {0, min_distance::disjoint}}};

constexpr auto planned(const chosen_policy& policy, baton::span<const declared_distance> distances = declared) -> result<memory_plan> {
  const auto program = widened_and_narrowed();
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.distances = distances;
  return plan_memory(program, calls.value, {}, request, policy);
}

constexpr auto a_policy_may_overlap_as_far_as_distances_allow() -> bool {
  const auto plan = planned(planned_by<sliding>{});
  return plan && plan.value.arena_bytes == 96 && plan.value.lower_bound == 96 && plan.value.policy == "sliding" &&
         plan.value.order_of(0) == write_order::descending && plan.value.order_of(1) == write_order::ascending && !verify_plan(plan.value);
}
static_assert(a_policy_may_overlap_as_far_as_distances_allow());

constexpr auto without_distances_nothing_overlaps() -> bool {
  const auto plan = planned(planned_by<sliding>{}, {});
  return plan && plan.value.arena_bytes == 144 && plan.value.lower_bound == 144 && plan.value.orders.empty();
}
static_assert(without_distances_nothing_overlaps());

constexpr auto best_overlaps_nothing() -> bool {
  const auto plan = planned(planned_by<memory_policies::no_overlap>{});
  return plan && plan.value.arena_bytes == 144 && plan.value.is_optimal && plan.value.orders.empty() && plan.value.policy == "no_overlap";
}
static_assert(best_overlaps_nothing());

// An operand and an output are no pair if the operand is read later: the second node reads x again.
constexpr auto an_operand_read_later_is_not_overlapped() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 16));
  const auto y = b.call("y", "test.copy", {x}, tensor(dtype::int8, 16));
  b.output(b.call("z", "test.add", {x, y}, tensor(dtype::int8, 16)));
  const auto program = b.finish();
  const std::array all{declared_distance{0, x, y, {0, 0}}, declared_distance{1, x, value_id{2}, {0, 0}},
                       declared_distance{1, y, value_id{2}, {0, 0}}};
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.distances = all;
  const auto plan = plan_memory(program, calls.value, {}, request, planned_by<sliding>{});
  return plan && plan.value.needs.distances.size() == 2 && plan.value.arena_bytes == 32;
}
static_assert(an_operand_read_later_is_not_overlapped());

// If states are pinned, items have other numbers. The distances must follow.
constexpr auto distances_hold_with_pinned_states() -> bool {
  program_builder b;
  const auto s = b.mutable_buffer("s", tensor(dtype::int8, 16));
  const auto x = b.user_input("x", tensor(dtype::int8, 32));
  const auto y = b.call("y", "test.add", {s, x}, tensor(dtype::int8, 32));
  b.output(y);
  const auto program = b.finish();
  const std::array all{declared_distance{0, value_id{0}, value_id{2}, {0, 0}}, declared_distance{0, value_id{1}, value_id{2}, {0, 0}}};
  constexpr std::array states{pinned_state{value_id{0}, 0}};
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.distances = all;
  request.pinned = {states, 64};
  const auto plan = plan_memory(program, calls.value, {}, request, planned_by<sliding>{});
  return plan && plan.value.arena_bytes == 64 + 32 && plan.value.offset_of(x) == 64 && plan.value.offset_of(y) == 64 &&
         plan.value.needs.distances.size() == 1;
}
static_assert(distances_hold_with_pinned_states());

constexpr auto items_share_memory_if_they_have_a_common_byte() -> bool {
  const lifetime three{.bytes = 3}, four{.bytes = 4};
  return detail::share_memory(four, 0, three, 3) && !detail::share_memory(four, 0, three, 4) && detail::share_memory(three, 3, four, 0) &&
         !detail::share_memory(three, 4, four, 0);
}
static_assert(items_share_memory_if_they_have_a_common_byte());

// Modified plans that the checker must refuse.

template <class Change>
constexpr auto sliding_after(Change change) -> result<memory_plan> {
  auto plan = planned(planned_by<sliding>{});
  change(plan.value);
  return plan;
}
constexpr auto a_distance_that_is_too_small_is_detected() -> bool {
  const auto nearer = [](memory_plan& plan) { plan.needs.distances[0].descending = -1; };  // 0 is the limit
  const auto upward = [](memory_plan& plan) { plan.needs.distances[1].ascending = 1; };
  const auto contradiction = [](memory_plan& plan) {  // one pair of the step holds ascending only, the other descending only
    auto& all = plan.needs.distances;
    const auto other = all[0];
    all.insert(all.begin(), distance{other.step, other.input, other.output, 0});
    plan.graphs[0].distances.size = 3;
  };
  const auto missing = [](memory_plan& plan) {  // the first pair has no distance
    const auto second = plan.needs.distances[1];
    plan.needs.distances.clear();
    plan.needs.distances.push_back(second);
    plan.graphs[0].distances.size = 1;
  };
  return view(verify_plan(sliding_after(nearer).value).reason) == "entry 0 and entry 1" &&
         view(verify_plan(sliding_after(missing).value).reason) == "entry 0 and entry 1" &&
         view(verify_plan(sliding_after(upward).value).reason) == "entry 1 and entry 2" &&
         view(verify_plan(sliding_after(contradiction).value).reason) == "entry 0 and entry 1" &&
         !verify_plan(sliding_after([](memory_plan& plan) { plan.needs.distances[0].descending = 0; }).value);
}
static_assert(a_distance_that_is_too_small_is_detected());

/// Places all items at offset 0, although nothing allows it.
struct all_at_zero {
  static constexpr std::string_view name = "all at once";
  static constexpr auto place(const memory_problem& problem) -> placement {
    return {{vector<std::uint64_t>(problem.items.size(), 0), 96}, name};
  }
};
struct without_offsets : all_at_zero {
  static constexpr auto place(const memory_problem&) -> placement { return {}; }
};
struct misaligned : all_at_zero {
  static constexpr auto place(const memory_problem& problem) -> placement {
    auto changed = archetypes::memory_policy::place(problem);
    changed.offsets.back() += 1;
    changed.bytes += 1;
    return changed;
  }
};
struct past_its_end : all_at_zero {
  static constexpr auto place(const memory_problem& problem) -> placement {
    auto changed = archetypes::memory_policy::place(problem);
    changed.bytes -= 1;
    return changed;
  }
};
struct wraps_around : all_at_zero {
  static constexpr auto place(const memory_problem& problem) -> placement {
    auto changed = archetypes::memory_policy::place(problem);
    changed.offsets[1] = 0 - std::uint64_t{48};  // its end wraps around to 48
    return changed;
  }
};

template <class Policy>
constexpr auto is_refused(std::string_view reason) -> bool {
  const auto plan = planned(planned_by<Policy>{}, {});
  return !plan && plan.error.template is<"invalid_policy">() && view(plan.error.reason) == reason;
}
static_assert(is_refused<all_at_zero>("policy all at once: value x and value y"));
static_assert(is_refused<without_offsets>("policy all at once: 0 offsets for 3 items"));
static_assert(is_refused<misaligned>("policy all at once: value z is outside its memory or is not aligned"));
static_assert(is_refused<past_its_end>("policy all at once: value z is outside its memory or is not aligned"));
static_assert(is_refused<wraps_around>("policy all at once: value y is outside its memory or is not aligned"));

// Bytes that kernels read past operands follow the arena. They are no room for items, even if an item that ends there fits.
constexpr auto an_item_in_the_overread_bytes_is_refused() -> bool {
  const auto program = widened_and_narrowed();
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.overread_bytes = 64;
  const auto plan = plan_memory(program, calls.value, {}, request, planned_by<past_its_end>{});
  const auto valid = plan_memory(program, calls.value, {}, request, planned_by<archetypes::memory_policy>{});
  return plan.error.is<"invalid_policy">() &&
         view(plan.error.reason) == "policy all at once: value z is outside its memory or is not aligned" && valid &&
         valid.value.arena_bytes == 192 + 64;
}
static_assert(an_item_in_the_overread_bytes_is_refused());

constexpr auto over_two_regions(const chosen_policy& policy) -> result<memory_plan> {
  const auto program = widened_and_narrowed();
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.regions = {64, 128};
  return plan_memory(program, calls.value, {}, request, policy);
}
constexpr auto a_policy_that_cannot_split_is_refused() -> bool {
  const auto plan = over_two_regions(planned_by<sliding>{});
  return plan.error.is<"unsplit_policy">() && view(plan.error.reason) == "policy sliding" &&
         over_two_regions(planned_by<memory_policies::no_overlap>{});
}
static_assert(a_policy_that_cannot_split_is_refused());

struct split_at_zero : all_at_zero {
  static constexpr auto place_in_regions(const memory_problem& problem, baton::span<const std::uint32_t>, const memory_regions&)
      -> split_layout {
    return {place(problem).offsets, {96, 0}, name, true};
  }
};
constexpr auto a_split_that_overlaps_is_refused() -> bool {
  const auto plan = over_two_regions(planned_by<split_at_zero>{});
  return plan.error.is<"invalid_policy">();
}
static_assert(a_split_that_overlaps_is_refused());

}  // namespace

TEST_CASE("a custom policy places values at the minimum distances") {
  CHECK(a_policy_may_overlap_as_far_as_distances_allow());
  CHECK(without_distances_nothing_overlaps());
  CHECK(best_overlaps_nothing());
  CHECK(an_operand_read_later_is_not_overlapped());
  CHECK(distances_hold_with_pinned_states());
}

TEST_CASE("the result of a policy is checked, and so is a plan with another distance") {
  CHECK(items_share_memory_if_they_have_a_common_byte());
  CHECK(a_distance_that_is_too_small_is_detected());
  CHECK(is_refused<all_at_zero>("policy all at once: value x and value y"));
  CHECK(is_refused<without_offsets>("policy all at once: 0 offsets for 3 items"));
  CHECK(is_refused<misaligned>("policy all at once: value z is outside its memory or is not aligned"));
  CHECK(is_refused<past_its_end>("policy all at once: value z is outside its memory or is not aligned"));
  CHECK(is_refused<wraps_around>("policy all at once: value y is outside its memory or is not aligned"));
  CHECK(an_item_in_the_overread_bytes_is_refused());
}

TEST_CASE("two regions require a policy that can split") {
  CHECK(a_policy_that_cannot_split_is_refused());
  CHECK(a_split_that_overlaps_is_refused());
}
