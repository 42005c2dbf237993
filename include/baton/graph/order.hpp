// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Orders of vertices in which each comes after all that lead to it.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

namespace detail {

/// By vertex, how many edges lead to it.
constexpr auto edges_into(const adjacency& following) -> vector<std::uint32_t> {
  vector<std::uint32_t> counts(following.size(), 0);
  for (const auto vertex : following.items()) counts[vertex] += 1;
  return counts;
}

}  // namespace detail

/// The vertices in an order in which each comes after all that it follows. It has fewer than the graph if there is a cycle: those that
/// are missing lie on one, or behind one. A. B. Kahn, "Topological sorting of large networks" (CACM 5, 1962); linear.
constexpr auto topological_order(const adjacency& following) -> vector<std::uint32_t> {
  auto waiting = detail::edges_into(following);
  vector<std::uint32_t> placed;
  placed.reserve(following.size());
  for (std::uint32_t v = 0; v < following.size(); ++v) {
    if (waiting[v] == 0) placed.push_back(v);
  }
  for (std::size_t at = 0; at < placed.size(); ++at) {
    for (const auto next : following[placed[at]]) {
      if (--waiting[next] == 0) placed.push_back(next);
    }
  }
  return placed;
}

/// The same; among the vertices that may come next, the one of the lowest rank does. A rank for each vertex, no two alike. O((V + E) log
/// V).
constexpr auto topological_order(const adjacency& following, std::span<const std::uint32_t> ranks) -> vector<std::uint32_t> {
  auto waiting = detail::edges_into(following);
  vector<std::uint32_t> placed;
  placed.reserve(following.size());
  vector<std::uint32_t> ready;  // a heap
  const auto later = [ranks](std::uint32_t a, std::uint32_t b) { return ranks[a] > ranks[b]; };
  const auto push = [&](std::uint32_t vertex) {
    ready.push_back(vertex);
    std::push_heap(ready.begin(), ready.end(), later);
  };
  for (std::uint32_t v = 0; v < following.size(); ++v) {
    if (waiting[v] == 0) push(v);
  }
  while (!ready.empty()) {
    std::pop_heap(ready.begin(), ready.end(), later);
    placed.push_back(ready.back());
    ready.pop_back();
    for (const auto next : following[placed.back()]) {
      if (--waiting[next] == 0) push(next);
    }
  }
  return placed;
}

}  // namespace baton
