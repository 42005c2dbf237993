// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Topological orders of the vertices of a directed graph.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// Returns the number of edges into each vertex.
constexpr auto in_degrees(const adjacency& successors) -> vector<std::uint32_t> {
  vector<std::uint32_t> counts(successors.size(), 0);
  for (const auto vertex : successors.items()) counts[vertex] += 1;
  return counts;
}

}  // namespace detail

/// Returns the vertices in topological order: each vertex comes after all its predecessors. Vertices that are on a cycle or reachable from
/// a cycle are omitted. O(V + E).
/// Implements Kahn's algorithm (A. B. Kahn, "Topological sorting of large networks", CACM 5, 1962).
constexpr auto topological_order(const adjacency& successors) -> vector<std::uint32_t> {
  auto waiting = detail::in_degrees(successors);
  vector<std::uint32_t> ordered;
  ordered.reserve(successors.size());
  for (std::uint32_t v = 0; v < successors.size(); ++v) {
    if (waiting[v] == 0) ordered.push_back(v);
  }
  for (std::size_t at = 0; at < ordered.size(); ++at) {
    for (const auto next : successors[ordered[at]]) {
      if (--waiting[next] == 0) ordered.push_back(next);
    }
  }
  return ordered;
}

/// Same as the overload above, but if several vertices can come next, the vertex with the lowest rank comes next. A vertex can come next if
/// all its predecessors are already in the order. `ranks` contains a unique rank for each vertex. O((V + E) · log V).
constexpr auto topological_order(const adjacency& successors, span<const std::uint32_t> ranks) -> vector<std::uint32_t> {
  auto waiting = detail::in_degrees(successors);
  vector<std::uint32_t> ordered;
  ordered.reserve(successors.size());
  vector<std::uint32_t> ready;  // a heap
  const auto later = [ranks](std::uint32_t a, std::uint32_t b) { return ranks[a] > ranks[b]; };
  const auto push = [&](std::uint32_t vertex) {
    ready.push_back(vertex);
    std::push_heap(ready.begin(), ready.end(), later);
  };
  for (std::uint32_t v = 0; v < successors.size(); ++v) {
    if (waiting[v] == 0) push(v);
  }
  while (!ready.empty()) {
    std::pop_heap(ready.begin(), ready.end(), later);
    ordered.push_back(ready.back());
    ready.pop_back();
    for (const auto next : successors[ordered.back()]) {
      if (--waiting[next] == 0) push(next);
    }
  }
  return ordered;
}

}  // namespace baton
