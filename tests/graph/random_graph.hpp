// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Small random graphs. A seed produces the same graph on every machine.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include "properties/random.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace graph_tests {

enum class cycles : bool { none, allowed };

/// Returns a random permutation of 0 to `vertices` - 1.
inline auto random_ranks(std::uint64_t seed, std::uint32_t vertices) -> baton::vector<std::uint32_t> {
  properties::random_numbers random{seed};
  baton::vector<std::uint32_t> ranks;
  for (std::uint32_t v = 0; v < vertices; ++v) ranks.push_back(v);
  for (std::uint32_t v = vertices; v > 1; --v) std::swap(ranks[v - 1], ranks[random.below(v)]);
  return ranks;
}

/// Returns `count` random edges between `vertices` vertices. Edges may repeat.
inline auto random_edges(std::uint64_t seed, std::uint32_t vertices, std::size_t count, cycles policy) -> baton::vector<baton::edge> {
  properties::random_numbers random{seed};
  const auto ranks = random_ranks(seed + 1000, vertices);
  baton::vector<baton::edge> edges;
  while (edges.size() < count) {
    const auto from = static_cast<std::uint32_t>(random.below(vertices));
    const auto to = static_cast<std::uint32_t>(random.below(vertices));
    if (from == to || (policy == cycles::none && ranks[from] > ranks[to])) continue;
    edges.emplace_back(from, to);
  }
  return edges;
}

}  // namespace graph_tests
