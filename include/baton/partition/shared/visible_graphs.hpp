// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The graphs of a program that partitioners visit.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

namespace detail {

/// Returns, indexed by graph, 1 if the graph is inside a lowered module (nodes that a backend's `preprocess` has compiled), else 0.
/// Partitioners skip the graphs inside lowered modules.
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

/// Returns the graphs that partitioners visit, in program order: all graphs that are not inside a lowered module.
constexpr auto visible_graphs(const program_view& program) -> vector<graph_id> {
  const auto inside = detail::graphs_inside_delegates(program);
  vector<graph_id> visible;
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (inside[g] == 0) visible.push_back(static_cast<graph_id>(g));
  }
  return visible;
}

/// Returns the nodes that partitioners visit, graph by graph.
constexpr auto visible_nodes(const program_view& program) -> vector<node_id> {
  vector<node_id> visible;
  visible.reserve(program.nodes.size());
  for (const auto id : visible_graphs(program)) {
    const auto nodes = program[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) visible.push_back(static_cast<node_id>(n));
  }
  return visible;
}

}  // namespace baton
