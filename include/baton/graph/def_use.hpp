// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The producer and the users of each value.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <cstdint>

namespace baton {

namespace detail {

constexpr void note_producers(const program_view& program, range nodes, vector<node_id>& producers) {
  for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
    for (const auto output : program.outputs_of(program.nodes[n])) producers[output] = static_cast<node_id>(n);
  }
}

}  // namespace detail

/// Returns the producer of each value, indexed by value. Placeholders and scratch have `none<node_id>`. A placeholder is an input,
/// parameter, buffer or constant; scratch is working memory of a custom operator. O(values + nodes).
constexpr auto producers_of(const program_view& program) -> vector<node_id> {
  vector<node_id> producers(program.values.size(), none<node_id>);
  detail::note_producers(program, {0, static_cast<std::uint32_t>(program.nodes.size())}, producers);
  return producers;
}
/// Same as the overload above, for the nodes of one graph. Values that other graphs produce also have `none<node_id>`.
constexpr auto producers_of(const program_view& program, const graph& scope) -> vector<node_id> {
  vector<node_id> producers(program.values.size(), none<node_id>);
  detail::note_producers(program, scope.nodes, producers);
  return producers;
}
/// Returns the producer of one value, or `none<node_id>` for a placeholder or scratch. O(nodes). For several values, use `producers_of`.
constexpr auto producer_of(const program_view& program, value_id id) -> node_id {
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    for (const auto output : program.outputs_of(program.nodes[n])) {
      if (output == id) return static_cast<node_id>(n);
    }
  }
  return none<node_id>;
}

/// Returns the users of each value in program order. A node that uses a value twice appears twice. A graph output is not a user (see
/// `returned_values`). O(values + operands).
constexpr auto users_of(const program_view& program) -> adjacency {
  vector<edge> uses;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input != none<value_id>) uses.emplace_back(index(input), n);
    }
  }
  return {uses, program.values.size()};
}
/// Returns the number of uses of each value as an operand in one graph. O(values + operands).
constexpr auto use_counts(const program_view& program, const graph& scope) -> vector<std::uint32_t> {
  vector<std::uint32_t> uses(program.values.size(), 0);
  for (const auto& record : program.nodes_of(scope)) {
    for (const auto input : program.inputs(record)) {
      if (input != none<value_id>) uses[input] += 1;
    }
  }
  return uses;
}
/// Returns the number of uses of each value in all graphs, as an operand or as a graph output.
constexpr auto use_counts(const program_view& program) -> vector<std::uint32_t> {
  vector<std::uint32_t> uses(program.values.size(), 0);
  for (const auto& record : program.nodes) {
    for (const auto input : program.inputs(record)) {
      if (input != none<value_id>) uses[input] += 1;
    }
  }
  for (const auto& output : program.outputs) uses[output.value] += 1;
  return uses;
}
/// Returns the outputs of the graph `scope` as flags, indexed by value. A flag is 1 if the value is a user output or the new value of a
/// buffer, else 0.
constexpr auto returned_values(const program_view& program, const graph& scope) -> vector<char> {
  vector<char> is_returned(program.values.size(), 0);
  for (const auto& spec : program.outputs_of(scope)) is_returned[spec.value] = 1;
  return is_returned;
}

}  // namespace baton
