// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The graphs that lie within a graph.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// How far a question to a graph reaches.
enum class reach : std::uint8_t {
  graph,      ///< its own nodes only
  branches,   ///< also the subgraphs of its nodes, and theirs
  delegates,  ///< also the programs that its lowered modules were made from
};

/// A graph and, as far as is asked, what lies in it: breadth first, each once, however often it is called.
constexpr auto nested_graphs(const program_view& program, graph_id outermost, reach how_far = reach::branches) -> vector<graph_id> {
  vector<graph_id> found;
  if (index(outermost) >= program.graphs.size()) return found;
  found.push_back(outermost);
  if (how_far == reach::graph) return found;
  vector<char> seen(program.graphs.size(), 0);
  seen[index(outermost)] = 1;
  const auto add = [&](graph_id id) {
    if (seen[index(id)] == 0) found.push_back(id);
    seen[index(id)] = 1;
  };
  for (std::size_t at = 0; at < found.size(); ++at) {
    for (const auto& record : program.nodes_of(program[found[at]])) {
      for (const auto subgraph : program.subgraphs_of(record)) add(subgraph);
      if (how_far == reach::delegates && record.delegate != none<delegate_id>) add(program[record.delegate].original);
    }
  }
  return found;
}

}  // namespace baton
