// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Small random graphs, the same for a seed on every machine.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include "properties/random.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace graph_tests {

enum class cycles : bool { none, allowed };

/// Numbers from 0 on, each once.
inline auto random_ranks(std::uint64_t seed, std::uint32_t vertices) -> baton::vector<std::uint32_t> {
  properties::random_numbers random{seed};
  baton::vector<std::uint32_t> ranks;
  for (std::uint32_t v = 0; v < vertices; ++v) ranks.push_back(v);
  for (std::uint32_t v = vertices; v > 1; --v) std::swap(ranks[v - 1], ranks[random.below(v)]);
  return ranks;
}

/// Edges between so many vertices; some may stand twice.
inline auto random_edges(std::uint64_t seed, std::uint32_t vertices, std::size_t count, cycles may_be) -> baton::vector<baton::edge> {
  properties::random_numbers random{seed};
  const auto ranks = random_ranks(seed + 1000, vertices);
  baton::vector<baton::edge> edges;
  while (edges.size() < count) {
    const auto from = static_cast<std::uint32_t>(random.below(vertices));
    const auto to = static_cast<std::uint32_t>(random.below(vertices));
    if (from == to || (may_be == cycles::none && ranks[from] > ranks[to])) continue;
    edges.emplace_back(from, to);
  }
  return edges;
}

}  // namespace graph_tests
