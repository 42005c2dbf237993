// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The concept of a schedule policy, which orders the nodes of a graph.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

/// A graph whose nodes are to be ordered. Node numbers are relative to the first node of the graph.
struct schedule_problem {
  program_view program;
  graph_id graph = none<graph_id>;
  span<const edge> dependencies;  ///< pairs of nodes: the second must run after the first; program order satisfies all pairs
};

namespace archetypes {

/// The minimal type that satisfies the concept: a policy that keeps program order.
struct schedule_policy {
  static constexpr std::string_view name = "archetype";
  static constexpr auto order(const schedule_problem& problem) -> vector<std::uint32_t> {
    vector<std::uint32_t> nodes;
    for (std::uint32_t n = 0; n < problem.program[problem.graph].nodes.size; ++n) nodes.push_back(n);
    return nodes;
  }
};

}  // namespace archetypes

/// A schedule policy orders the nodes of a graph. `order` is called once per graph. Members:
/// - `static constexpr std::string_view name`: a display name
/// - `static constexpr auto order(const baton::schedule_problem&) -> baton::vector<std::uint32_t>`: returns the nodes of the graph in
///   execution order
///
/// Laws: the result contains each node exactly once, after all nodes on which the node depends. Planning fails with `invalid_schedule` if
/// the result violates this law. The result must depend on the problem alone, so that it is the same at compile time and at run time. Pass
/// a custom policy to an executor as `baton::scheduled_by<my_policy>`.
template <class T>
concept schedule_policy = requires(const schedule_problem& problem) {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::order(problem) } -> std::same_as<vector<std::uint32_t>>;
};
static_assert(schedule_policy<archetypes::schedule_policy>);

/// An executor service that selects a schedule policy instead of program order.
template <class Policy>
struct scheduled_by {
  using schedule = Policy;
};

}  // namespace baton
