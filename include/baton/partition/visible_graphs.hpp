// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which graphs of a program a partitioner looks at.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton::detail {

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

/// By node: whether partitioners look at it.
constexpr auto nodes_outside_delegates(const program_view& program) -> vector<char> {
  const auto inside = graphs_inside_delegates(program);
  vector<char> is_outside(program.nodes.size(), 1);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (inside[g] == 0) continue;
    const auto run = program.graphs[g].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) is_outside[n] = 0;
  }
  return is_outside;
}

}  // namespace baton::detail
