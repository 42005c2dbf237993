// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The graphs that the nodes of a graph run, directly or through other graphs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// The scope of a query about a graph.
enum class reach : std::uint8_t {
  graph,      ///< only the graph itself
  branches,   ///< the graph, and the subgraphs of nodes, recursively
  delegates,  ///< like `branches`, and the original graphs (the parts before `preprocess`) of the lowered modules that nodes call
};

/// Returns `outermost` and the graphs that its nodes run, directly or through other graphs, breadth first. `how_far` states which of these
/// graphs are included. Each graph appears once, even if it is called several times. Returns an empty list if the program has no graph
/// `outermost`.
constexpr auto nested_graphs(const program_view& program, graph_id outermost, reach how_far = reach::branches) -> vector<graph_id> {
  vector<graph_id> graphs;
  if (index(outermost) >= program.graphs.size()) return graphs;
  graphs.push_back(outermost);
  if (how_far == reach::graph) return graphs;
  vector<char> seen(program.graphs.size(), 0);
  seen[index(outermost)] = 1;
  const auto add = [&](graph_id id) {
    if (seen[index(id)] == 0) graphs.push_back(id);
    seen[index(id)] = 1;
  };
  for (std::size_t at = 0; at < graphs.size(); ++at) {
    for (const auto& record : program.nodes_of(program[graphs[at]])) {
      for (const auto subgraph : program.subgraphs_of(record)) add(subgraph);
      if (how_far == reach::delegates && record.delegate != none<delegate_id>) add(program[record.delegate].original);
    }
  }
  return graphs;
}

}  // namespace baton
