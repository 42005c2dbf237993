// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// All mechanisms together: policies, subviews, regions, states, delegates with scratch, and other orders of nodes. No byte is read after
// another value has overwritten it, and no arena is larger than with one mechanism alone.
#include <baton/plan/execution_plan.hpp>

#include <baton/backend/backends.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policies.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

#include "plan/by_rows.hpp"
#include "plan/last_first.hpp"
#include "plan/random_images.hpp"

namespace {

using namespace baton;

struct joining {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.join") ? accept() : refuse("no joint")};
  }
  static void compute(const no_plan&, const node_memory&) {}
};
/// A join that copies nothing if its operands are stored in the output.
struct nesting_joint : joining {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    auto result = joining::describe(program, record);
    result.facts.subviews.offset = 0;
    return result;
  }
};

/// Has its arguments at the beginning of its scratch, and its results in the middle or in place of the arguments.
struct machine {
  static constexpr auto id = name<"Machine">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    std::uint64_t bytes = 0;
    for (const auto& record : part.values) bytes += bytes_of(part, record);
    processed.scratch_bytes = static_cast<std::uint32_t>(bytes + 32);
    return processed;
  }
  static constexpr auto bytes_of(const program_view& program, const value& record) -> std::uint64_t {
    return static_cast<std::uint64_t>(byte_count(record.type, program.integer_list(record.shape)) + 15) / 16 * 16;
  }
  static constexpr auto io_offsets_in_scratch(const lowered_module_view& module) -> io_offsets {
    const auto scratch = std::int64_t{module.scratch_bytes()};
    return {{0}, {scratch % 3 == 0 ? 0 : scratch / 2 / 16 * 16}};
  }
};

/// The settings with which a program is planned.
struct plan_settings {
  chosen_policy policy = planned_by<memory_policies::no_overlap>{};
  bool has_parts = true;
  bool has_scratch = true;
  std::uint32_t alignment = 16;
  memory_regions regions{};
  chosen_schedule order{};
  detail::bound_tensors bound{};
};

auto plan_of(const exported_program& program, const plan_settings& settings) -> result<memory_plan> {
  auto needs = needs_of_backends(backends<machine>, program);
  if (!settings.has_scratch) needs.preferred_offsets.clear();
  const detail::execution_setting setting{
      .regions = settings.regions, .policy = settings.policy, .order = settings.order, .bound = settings.bound};
  const auto plan = [&](auto list) -> result<memory_plan> {
    auto planned = detail::plan_execution(list, program, plan_options{settings.alignment}, needs, setting);
    if (!planned) return planned.error;
    return std::move(planned.value.memory);
  };
  return settings.has_parts ? plan(kernels<nesting_joint, by_rows>) : plan(kernels<joining, by_rows>);
}

/// Returns the number of accepted proposals to store a value in scratch.
auto accepted_in_scratch(const memory_plan& plan) -> int {
  return static_cast<int>(std::count_if(plan.decided.begin(), plan.decided.end(), [](const decided_storage& each) {
    return each.why == refusal::none && each.proposal.where.in == container::scratch;
  }));
}

}  // namespace

TEST_CASE("random programs with all mechanisms: no stale read, and no more memory than with any mechanism alone") {
  std::mt19937 random(20261127);
  int by_rows = 0;
  int with_parts = 0;
  int with_scratch = 0;
  int with_all = 0;
  for (int i = 0; i < 500; ++i) {
    CAPTURE(i);
    const auto drawn = plan_tests::random_graph(random, {.joins = true, .delegates = true, .states = i % 2 == 0}).run();
    const auto program = to_backend(backends<machine>, drawn, by_support<machine, operator_names<"test.machine">>{});
    for (const chosen_policy& policy :
         std::initializer_list<chosen_policy>{planned_by<memory_policies::no_overlap>{}, planned_by<memory_policies::no_reuse>{},
                                              planned_by<memory_policies::in_place>{}, planned_by<memory_policies::row_streaming>{}}) {
      CAPTURE(policy.name);
      plan_settings all{.policy = policy, .alignment = i % 3 == 0 ? 1u : 16u};
      if (i % 4 == 1) all.order = scheduled_by<plan_tests::last_first>{};
      const auto plan = plan_of(program, all);
      REQUIRE(plan);
      CHECK_FALSE(verify_plan(plan.value));
      CHECK(plan_tests::stale_reads(program, plan.value) == 0);
      const auto bytes_by = [&](plan_settings one) {
        one.alignment = all.alignment;
        one.order = all.order;
        return plan_of(program, one).value.arena_bytes;
      };
      const bool streams = policy.find_segments != nullptr;
      const chosen_policy without_rows = streams ? chosen_policy(planned_by<memory_policies::in_place>{}) : policy;
      auto min_bytes = bytes_by({.policy = without_rows, .has_parts = true, .has_scratch = false});
      min_bytes = std::min(min_bytes, bytes_by({.policy = without_rows, .has_parts = false, .has_scratch = true}));
      if (streams) min_bytes = std::min(min_bytes, bytes_by({.policy = policy, .has_parts = false, .has_scratch = false}));
      CHECK(plan.value.arena_bytes <= min_bytes);
      const bool has_rows = !plan.value.streams.segments.empty();
      const bool has_scratch = accepted_in_scratch(plan.value) != 0;
      const bool has_parts = plan.value.decided.size() != 0 && !plan.value.needs.within.empty();
      by_rows += has_rows ? 1 : 0;
      with_parts += has_parts ? 1 : 0;
      with_scratch += has_scratch ? 1 : 0;
      with_all += has_rows && has_scratch && has_parts ? 1 : 0;
    }
    // The same with two memory regions, for the policies that can split an arena.
    for (const chosen_policy& policy :
         {chosen_policy(planned_by<memory_policies::no_overlap>{}), chosen_policy(planned_by<memory_policies::no_reuse>{})}) {
      const auto split = plan_of(program, {.policy = policy, .regions = {256, 1 << 20}});
      REQUIRE(split);
      CHECK_FALSE(verify_plan(split.value));
    }
  }
  MESSAGE(by_rows, " plans by rows, ", with_parts, " with parts, ", with_scratch, " with values in scratch, ", with_all, " with all");
  CHECK(by_rows > 50);
  CHECK(with_parts > 100);
  CHECK(with_scratch > 100);
  CHECK(with_all > 5);
}

TEST_CASE("random programs with bound inputs and outputs: no stale read, no write to an input, and no more memory") {
  constexpr std::array<std::uint32_t, 2> positions{0, 1};
  std::mt19937 random(20261128);
  int by_rows = 0;
  int from_input = 0;
  int smaller = 0;
  int plans = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const auto drawn = plan_tests::random_graph(random, {.joins = true, .delegates = true, .states = i % 2 == 0}).run();
    const auto program = to_backend(backends<machine>, drawn, by_support<machine, operator_names<"test.machine">>{});
    const auto outputs = user_outputs_of(program, graph_id{0}).size();
    for (const chosen_policy& policy :
         std::initializer_list<chosen_policy>{planned_by<memory_policies::no_overlap>{}, planned_by<memory_policies::in_place>{},
                                              planned_by<memory_policies::row_streaming>{}}) {
      CAPTURE(policy.name);
      plan_settings settings{.policy = policy, .alignment = i % 3 == 0 ? 1u : 16u};
      const auto without = plan_of(program, settings);
      REQUIRE(without);
      settings.bound.inputs = baton::span<const std::uint32_t>{positions.data(), i % 5 != 0 ? 1u : 0u};
      settings.bound.outputs = baton::span<const std::uint32_t>{positions.data(), i % 7 != 0 ? outputs : 0u};
      const auto plan = plan_of(program, settings);
      REQUIRE(plan);
      CHECK_FALSE(verify_plan(plan.value));
      CHECK(plan_tests::stale_reads(program, plan.value) == 0);
      CHECK(plan.value.arena_bytes <= without.value.arena_bytes + (settings.bound.address_bytes() + 15) / 16 * 16);
      for (const auto& segment : plan.value.streams.segments) {
        ++by_rows;
        from_input += plan.value.storage[segment.input].in == container::bound ? 1 : 0;
      }
      smaller += plan.value.arena_bytes < without.value.arena_bytes ? 1 : 0;
      ++plans;
    }
  }
  MESSAGE(by_rows, " segments, ", from_input, " from a bound input, ", smaller, " of ", plans, " plans smaller");
  CHECK(by_rows > 10);
  CHECK(from_input > 5);
  CHECK(smaller > 50);
}
