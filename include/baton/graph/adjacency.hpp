// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Adjacency lists of a directed graph, in one array.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// A directed edge, from vertex `first` to vertex `second`. `second` may also be the index of another kind of item, for example of a node
/// that uses the value `first`.
using edge = std::pair<std::uint32_t, std::uint32_t>;

/// The successors of each vertex, in insertion order; parallel edges are kept. The storage format is compressed sparse rows. Vertices are
/// numbered from 0. The first vertex of each edge must be less than `vertices`. Time and memory are O(V + E).
class adjacency {
 public:
  constexpr adjacency() = default;
  constexpr adjacency(span<const edge> edges, std::size_t vertices) : first_(vertices + 1, 0), items_(edges.size(), 0) {
    for (const auto& [from, to] : edges) first_[from + 1] += 1;
    for (std::size_t v = 0; v < vertices; ++v) first_[v + 1] += first_[v];
    auto next = first_;
    for (const auto& [from, to] : edges) items_[next[from]++] = to;
  }

  /// Returns the number of vertices.
  constexpr auto size() const -> std::size_t { return first_.empty() ? 0 : first_.size() - 1; }
  /// Returns the successors of a vertex.
  constexpr auto operator[](std::size_t vertex) const -> span<const std::uint32_t> {
    return {items_.data() + first_[vertex], first_[vertex + 1] - first_[vertex]};
  }
  /// Returns the successors of all vertices, concatenated in the order of vertices.
  constexpr auto items() const -> span<const std::uint32_t> { return items_; }

 private:
  vector<std::uint32_t> first_;  ///< indexed by vertex: the position in `items_` of the first successor; ends with `items_.size()`
  vector<std::uint32_t> items_;
};

}  // namespace baton
