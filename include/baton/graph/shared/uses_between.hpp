// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which nodes of a graph use which others of it, alone or as units of several.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <cstdint>

namespace baton {

/// The uses among a graph's nodes, by their positions in its run: who makes a value, and who uses it. `producers` is what `producers_of`
/// gives for the program.
constexpr auto uses_between(const program_view& program, range run, const vector<node_id>& producers) -> vector<edge> {
  vector<edge> uses;
  for (std::uint32_t n = 0; n < run.size; ++n) {
    for (const auto input : program.inputs(program.nodes[run.first + n])) {
      const auto producer = input == none<value_id> ? none<node_id> : producers[index(input)];
      if (producer != none<node_id> && index(producer) - run.first < n) uses.emplace_back(index(producer) - run.first, n);
    }
  }
  return uses;
}

/// The uses among units, which are sets of items: those that lead from one into another.
constexpr auto uses_between_units(const vector<edge>& uses, const vector<std::uint32_t>& unit_of) -> vector<edge> {
  vector<edge> between;
  for (const auto& [used, user] : uses) {
    if (unit_of[used] != unit_of[user]) between.emplace_back(unit_of[used], unit_of[user]);
  }
  return between;
}

}  // namespace baton
