// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Strongly connected components: which vertices lead to one another.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

class component_search {
 public:
  constexpr explicit component_search(const adjacency& following)
      : following_(following),
        next_(following.size(), 0),
        number_(following.size(), npos),
        low_(following.size(), 0),
        component_(following.size(), npos) {}

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
      const auto list = following_[here];
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
    number_[vertex] = low_[vertex] = seen_++;
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

  const adjacency& following_;
  vector<std::uint32_t> next_;    ///< by vertex, how many of its edges have been looked at
  vector<std::uint32_t> number_;  ///< by vertex, in the order in which they were seen
  vector<std::uint32_t> low_;     ///< by vertex, the lowest number that is known to be reached and open
  vector<std::uint32_t> component_;
  vector<std::uint32_t> path_;
  vector<std::uint32_t> open_;  ///< seen, and in no component yet
  std::uint32_t seen_ = 0;
  std::uint32_t components_ = 0;
};

}  // namespace detail

/// By vertex, the number of its component: from each vertex of a component a path leads to every other one of it. A vertex on no cycle is
/// a component alone. Components that others lead to have lower numbers than those. R. E. Tarjan, "Depth-first search and linear graph
/// algorithms" (SIAM J. Comput. 1, 1972), without recursion; linear.
constexpr auto strong_components(const adjacency& following) -> vector<std::uint32_t> { return detail::component_search(following).run(); }

}  // namespace baton
