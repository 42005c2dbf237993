// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of a directed graph.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// A search for strongly connected components by depth-first search, without recursion.
class component_search {
 public:
  constexpr explicit component_search(const adjacency& successors)
      : successors_(successors),
        next_(successors.size(), 0),
        number_(successors.size(), npos),
        low_(successors.size(), 0),
        component_(successors.size(), npos) {}

  constexpr auto run() -> vector<std::uint32_t> {
    for (std::uint32_t vertex = 0; vertex < number_.size(); ++vertex) {
      if (number_[vertex] == npos) search_from(vertex);
    }
    return std::move(component_);
  }

 private:
  constexpr void search_from(std::uint32_t start) {
    enter(start);
    while (!path_.empty()) {
      const auto here = path_.back();
      const auto list = successors_[here];
      if (next_[here] == list.size()) {
        leave();
        continue;
      }
      const auto next = list[next_[here]++];
      if (number_[next] == npos) {
        enter(next);
      } else if (component_[next] == npos) {
        low_[here] = std::min(low_[here], number_[next]);
      }
    }
  }

  constexpr void enter(std::uint32_t vertex) {
    number_[vertex] = low_[vertex] = discovered_++;
    path_.push_back(vertex);
    open_.push_back(vertex);
  }

  constexpr void leave() {
    const auto vertex = path_.back();
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[vertex]);
    if (low_[vertex] != number_[vertex]) return;
    while (component_[vertex] == npos) {
      component_[open_.back()] = components_;
      open_.pop_back();
    }
    ++components_;
  }

  const adjacency& successors_;
  vector<std::uint32_t> next_;  ///< indexed by vertex: the number of edges from the vertex that have been followed
  vector<std::uint32_t>
      number_;  ///< indexed by vertex: the number of the vertex in the order of discovery, or `npos` if it is not discovered
  vector<std::uint32_t>
      low_;  ///< indexed by vertex: the lowest `number_` among the vertices of `open_` that the search has reached from the vertex
  vector<std::uint32_t> component_;
  vector<std::uint32_t> path_;
  vector<std::uint32_t> open_;  ///< discovered vertices that are not yet in a component
  std::uint32_t discovered_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace detail

/// Returns the component number of each vertex. Two vertices are in the same component if there are paths between them in both directions.
/// A vertex that is on no cycle is a component of its own. If an edge leads from component `a` to another component `b`, then `b` < `a`.
/// O(V + E). Implements Tarjan's algorithm without recursion (R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM J.
/// Comput. 1, 1972).
constexpr auto strong_components(const adjacency& successors) -> vector<std::uint32_t> {
  return detail::component_search(successors).run();
}

}  // namespace baton
