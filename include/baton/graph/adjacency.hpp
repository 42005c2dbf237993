// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which vertices of a directed graph follow which: lists in one array.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// The number of a vertex and of one that follows it, or of whatever else belongs to it.
using edge = std::pair<std::uint32_t, std::uint32_t>;

/// By vertex, the second numbers of all edges that begin there, in the order in which they were given; one that was given twice stands
/// twice (compressed sparse rows). Vertices are numbered from 0; every edge begins at one of them. Time and memory: linear.
class adjacency {
 public:
  constexpr adjacency() = default;
  constexpr adjacency(span<const edge> edges, std::size_t vertices) : first_(vertices + 1, 0), items_(edges.size(), 0) {
    for (const auto& [from, to] : edges) first_[from + 1] += 1;
    for (std::size_t v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
    auto next = first_;
    for (const auto& [from, to] : edges) items_[next[from]++] = to;
  }

  /// How many vertices there are.
  constexpr auto size() const -> std::size_t { return first_.empty() ? 0 : first_.size() - 1; }
  /// What belongs to a vertex.
  constexpr auto operator[](std::size_t vertex) const -> span<const std::uint32_t> {
    return {items_.data() + first_[vertex], first_[vertex + 1] - first_[vertex]};
  }
  /// What belongs to all vertices, one after the other.
  constexpr auto items() const -> span<const std::uint32_t> { return items_; }

 private:
  vector<std::uint32_t> first_;  ///< by vertex, into `items_`; one more is the end
  vector<std::uint32_t> items_;
};

}  // namespace baton
