// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Orders of vertices in which each comes after all that lead to it.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
  vector<std::uint32_t> ordered;
  ordered.reserve(following.size());
  for (std::uint32_t v = 0; v < following.size(); ++v) {
    if (waiting[v] == 0) ordered.push_back(v);
  }
  for (std::size_t at = 0; at < ordered.size(); ++at) {
    for (const auto next : following[ordered[at]]) {
      if (--waiting[next] == 0) ordered.push_back(next);
    }
  }
  return ordered;
}

/// The same; among the vertices that may come next, the one of the lowest rank does. A rank for each vertex, no two alike. O((V + E) log
/// V).
constexpr auto topological_order(const adjacency& following, span<const std::uint32_t> ranks) -> vector<std::uint32_t> {
  auto waiting = detail::edges_into(following);
  vector<std::uint32_t> ordered;
  ordered.reserve(following.size());
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
    ordered.push_back(ready.back());
    ready.pop_back();
    for (const auto next : following[ordered.back()]) {
      if (--waiting[next] == 0) push(next);
    }
  }
  return ordered;
}

}  // namespace baton
