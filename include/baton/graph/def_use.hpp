// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which node makes a value, and which nodes use it.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <cstdint>

namespace baton {

namespace detail {

constexpr void note_producers(const program_view& program, range nodes, vector<node_id>& producers) {
  for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
    for (const auto output : program.outputs_of(program.nodes[n])) producers[index(output)] = static_cast<node_id>(n);
  }
}

}  // namespace detail

/// By value of a program, the node that makes it; `none<node_id>` of placeholders and scratch. Linear.
constexpr auto producers_of(const program_view& program) -> vector<node_id> {
  vector<node_id> producers(program.values.size(), none<node_id>);
  detail::note_producers(program, {0, static_cast<std::uint32_t>(program.nodes.size())}, producers);
  return producers;
}
/// The same for the nodes of one graph: `none<node_id>` also of what others make.
constexpr auto producers_of(const program_view& program, const graph& of) -> vector<node_id> {
  vector<node_id> producers(program.values.size(), none<node_id>);
  detail::note_producers(program, of.nodes, producers);
  return producers;
}
/// The node that makes one value, for a single question: it looks at every node.
constexpr auto producer_of(const program_view& program, value_id of) -> node_id {
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    for (const auto output : program.outputs_of(program.nodes[n])) {
      if (output == of) return static_cast<node_id>(n);
    }
  }
  return none<node_id>;
}

/// By value of a program, the nodes that use it, in program order; a node that uses it twice stands twice. What a graph returns is used by
/// no node (`returned_values`). Linear.
constexpr auto users_of(const program_view& program) -> adjacency {
  vector<edge> uses;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input != none<value_id>) uses.emplace_back(index(input), n);
    }
  }
  return {uses, program.values.size()};
}
/// By value of a program, how many operands of a graph it is. Linear.
constexpr auto use_counts(const program_view& program, const graph& of) -> vector<std::uint32_t> {
  vector<std::uint32_t> uses(program.values.size(), 0);
  for (const auto& record : program.nodes_of(of)) {
    for (const auto input : program.inputs(record)) {
      if (input != none<value_id>) uses[index(input)] += 1;
    }
  }
  return uses;
}
/// The same for all graphs, what they return counted, too.
constexpr auto use_counts(const program_view& program) -> vector<std::uint32_t> {
  vector<std::uint32_t> uses(program.values.size(), 0);
  for (const auto& record : program.nodes) {
    for (const auto input : program.inputs(record)) {
      if (input != none<value_id>) uses[index(input)] += 1;
    }
  }
  for (const auto& output : program.outputs) uses[index(output.value)] += 1;
  return uses;
}
/// By value of a program, whether (1 or 0) a graph returns it, to its user or as a new state.
constexpr auto returned_values(const program_view& program, const graph& of) -> vector<char> {
  vector<char> is_returned(program.values.size(), 0);
  for (const auto& spec : program.outputs_of(of)) is_returned[index(spec.value)] = 1;
  return is_returned;
}

}  // namespace baton
