// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A schedule policy as plain data, the diagnostics for types that are not schedule policies, and the construction of schedules.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/schedule_policy.hpp>
#include <baton/plan/shared/end_copies.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/streams.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// Reports an error at compile time if a type is not a schedule policy.
template <class T>
consteval auto require_schedule_policy() -> bool {
  constexpr bool has_a_name = requires {
    { T::name } -> std::convertible_to<std::string_view>;
  };
  constexpr bool orders = requires(const schedule_problem& problem) {
    { T::order(problem) } -> std::same_as<vector<std::uint32_t>>;
  };
  static_assert(has_a_name,
                "baton not_a_schedule_policy: the policy type has no name; write: static constexpr std::string_view name = \"...\";");
  static_assert(orders || !has_a_name,
                "baton not_a_schedule_policy: the policy type has no function order; write: static constexpr auto order(const "
                "baton::schedule_problem& problem) -> baton::vector<std::uint32_t>");
  return schedule_policy<T>;
}

/// A schedule policy as plain data. If the type is not a policy, an error is reported, and nodes run in program order.
struct chosen_schedule {
  std::string_view name;
  /// Null means program order.
  vector<std::uint32_t> (*order)(const schedule_problem&) = nullptr;

  constexpr chosen_schedule() = default;
  template <class Policy>
  constexpr chosen_schedule(scheduled_by<Policy>)  // NOLINT(google-explicit-constructor)
      : name([] {
          if constexpr (schedule_policy<Policy>) return std::string_view{Policy::name};
          return std::string_view{};
        }()) {
    [[maybe_unused]] constexpr bool is_checked = require_schedule_policy<Policy>();
    if constexpr (schedule_policy<Policy>) {
      order = [](const schedule_problem& problem) -> vector<std::uint32_t> { return Policy::order(problem); };
    }
  }
};

namespace detail {

constexpr auto kind_of_step(const program_view& program, const node& record) -> step_kind {
  if (record.delegate != none<delegate_id>) return step_kind::delegate;
  return control_flow_of(program, record) == control_flow::none ? step_kind::kernel : step_kind::control_flow;
}

/// Adds the steps of a graph in program order.
constexpr void add_steps(schedule& target, const program_view& program, graph_id id) {
  const auto nodes = program[id].nodes;
  const auto first = static_cast<std::uint32_t>(target.steps.size());
  target.graph_steps[index(id)] = {first, nodes.size};
  target.steps.resize(first + nodes.size);
  target.nodes.resize(first + nodes.size);
  auto* const steps = target.steps.data() + first;
  auto* const order = target.nodes.data() + first;
  auto* const step_of = target.step_of.data() + nodes.first;
  for (std::uint32_t n = 0; n < nodes.size; ++n) {
    steps[n] = {kind_of_step(program, program.nodes[nodes.first + n]), {first + n, 1}};
    order[n] = static_cast<node_id>(nodes.first + n);
    step_of[n] = n;
  }
}
/// Adds the steps of a graph in the order of `order`, which contains positions of nodes in the graph.
constexpr void add_steps(schedule& target, const program_view& program, graph_id id, span<const std::uint32_t> order) {
  const auto first = program[id].nodes.first;
  auto& steps = target.graph_steps[index(id)];
  steps = {static_cast<std::uint32_t>(target.steps.size()), static_cast<std::uint32_t>(order.size())};
  for (const auto n : order) {
    if (first + n < target.step_of.size()) target.step_of[first + n] = static_cast<std::uint32_t>(target.steps.size()) - steps.first;
    target.steps.push_back({n < program[id].nodes.size ? kind_of_step(program, program.nodes[first + n]) : step_kind::kernel,
                            {static_cast<std::uint32_t>(target.nodes.size()), 1}});
    target.nodes.push_back(static_cast<node_id>(first + n));
  }
}

}  // namespace detail

/// Returns the schedule of a program with one step per node. Fails with `invalid_schedule` if the policy returns an invalid order.
constexpr auto make_schedule(const program_view& program, const graph_calls& calls, const chosen_schedule& policy = {})
    -> result<schedule> {
  schedule result;
  result.graph_steps.assign(program.graphs.size(), range{});
  result.step_of.assign(program.nodes.size(), npos);
  vector<node_id> producers;
  if (policy.order != nullptr) producers = producers_of(program);
  for (const auto id : calls.order) {
    if (policy.order == nullptr) {
      detail::add_steps(result, program, id);
    } else {
      const auto dependencies = dependencies_between(program, program[id], producers);
      detail::add_steps(result, program, id, policy.order({program, id, dependencies}));
    }
  }
  if (policy.order != nullptr) {
    auto why = verify_schedule(result, program, calls);
    if (why) {
      why.reason = join("policy ", policy.name, ": ", view(why.reason));
      return why;
    }
  }
  return result;
}

/// Returns a copy of the schedule `by_nodes` in which the steps of each segment of `streams` are merged into one step. A segment consists
/// of consecutive nodes that run row by row (see `stream_segment`).
constexpr auto with_segments(const schedule& by_nodes, const stream_plan& streams) -> schedule {
  auto result = by_nodes;
  const auto root = by_nodes.graph_steps[0];
  result.steps.clear();
  for (std::size_t g = 0; g < result.graph_steps.size(); ++g) {
    const auto before = by_nodes.graph_steps[g];
    result.graph_steps[g].first = static_cast<std::uint32_t>(result.steps.size());
    for (auto s = before.first; s < before.first + before.size; ++s) {
      auto step = by_nodes.steps[s];
      const auto* segment = g == 0 ? streams.segment_of(s - root.first) : nullptr;
      if (segment != nullptr && s - root.first != segment->first) {
        result.steps.back().nodes.size += 1;
      } else {
        if (segment != nullptr) step.kind = step_kind::rows;
        result.steps.push_back(step);
      }
      result.step_of[index(result.nodes[step.nodes.first])] =
          static_cast<std::uint32_t>(result.steps.size()) - 1 - result.graph_steps[g].first;
    }
    result.graph_steps[g].size = static_cast<std::uint32_t>(result.steps.size()) - result.graph_steps[g].first;
  }
  return result;
}

/// Adds one step for each of `copies`, the copies at the end of graphs. These steps follow the steps of all graphs. `copies` is grouped by
/// call.
constexpr void add_copies(schedule& to, span<const planned_copy> copies) {
  for (std::uint32_t i = 0; i < copies.size(); ++i) {
    const auto step = static_cast<std::uint32_t>(to.steps.size());
    if (to.copies.empty() || to.copies.back().call != copies[i].call || to.copies.back().graph != copies[i].graph) {
      to.copies.push_back({copies[i].call, copies[i].graph, {step, 0}});
    }
    to.steps.push_back({step_kind::copy, {i, 1}});
    to.copies.back().steps.size += 1;
  }
}

}  // namespace baton
