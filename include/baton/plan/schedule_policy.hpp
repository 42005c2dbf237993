// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The concept of a schedule policy: what decides in which order the nodes of a graph run.
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

/// A graph whose nodes are to be put in order. Nodes are counted from the first of the graph.
struct schedule_problem {
  program_view program;
  graph_id graph = none<graph_id>;
  span<const edge> dependencies;  ///< a node, and one that must run after it; the order of the program keeps all
};

namespace archetypes {

/// The smallest schedule policy: nodes run as they stand.
struct schedule_policy {
  static constexpr std::string_view name = "archetype";
  static constexpr auto order(const schedule_problem& problem) -> vector<std::uint32_t> {
    vector<std::uint32_t> found;
    for (std::uint32_t n = 0; n < problem.program[problem.graph].nodes.size; ++n) found.push_back(n);
    return found;
  }
};

}  // namespace archetypes

/// A schedule policy says in which order the nodes of a graph run. It is asked once a graph.
/// - `static constexpr std::string_view name`: its name, for people
/// - `static constexpr auto order(const baton::schedule_problem&) -> baton::vector<std::uint32_t>`: the nodes of the graph in the order in
///   which they shall run
/// Laws: every node stands there once, after all that it depends on (`invalid_schedule`). The same problem has the same order, in the
/// compiler and at run time. One of your own is given to an executor as `baton::scheduled_by<my_policy>`.
template <class T>
concept schedule_policy = requires(const schedule_problem& problem) {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::order(problem) } -> std::same_as<vector<std::uint32_t>>;
};
static_assert(schedule_policy<archetypes::schedule_policy>);

/// A service of an executor: the policy that orders its nodes, in the place of their order in the program.
template <class Policy>
struct scheduled_by {
  using schedule = Policy;
};

}  // namespace baton
