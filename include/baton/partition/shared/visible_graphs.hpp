// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which graphs of a program a partitioner looks at.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

namespace detail {

/// The graphs that lie inside lowered modules, which no partitioner looks into.
constexpr auto graphs_inside_delegates(const program_view& program) -> vector<char> {
  vector<char> inside(program.graphs.size(), 0);
  vector<graph_id> open;
  for (const auto& delegate : program.delegates) open.push_back(delegate.original);
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    if (inside[index(id)] != 0) continue;
    inside[index(id)] = 1;
    for (const auto& record : program.nodes_of(program[id])) {
      for (const auto subgraph : program.subgraphs_of(record)) open.push_back(subgraph);
    }
  }
  return inside;
}

}  // namespace detail

/// The graphs that partitioners look into, in order.
constexpr auto visible_graphs(const program_view& program) -> vector<graph_id> {
  const auto inside = detail::graphs_inside_delegates(program);
  vector<graph_id> visible;
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (inside[g] == 0) visible.push_back(static_cast<graph_id>(g));
  }
  return visible;
}

/// The nodes that partitioners look at, graph by graph.
constexpr auto visible_nodes(const program_view& program) -> vector<node_id> {
  vector<node_id> visible;
  visible.reserve(program.nodes.size());
  for (const auto id : visible_graphs(program)) {
    const auto run = program[id].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) visible.push_back(static_cast<node_id>(n));
  }
  return visible;
}

}  // namespace baton
