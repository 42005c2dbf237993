// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cheapest way to cut a network in two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace baton {

/// A network of vertices and edges with capacities, and the cut of least capacity between two of its vertices, by blocking flows
/// (E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks with power estimation, Soviet Math. Doklady 11, 1970).
/// No recursion, whatever the depth. The sum of all capacities that can be cut must stay below `unlimited`.
class minimum_cut {
 public:
  using amount = std::int64_t;
  /// The capacity of an edge that is never cut.
  static constexpr amount unlimited = std::int64_t{1} << 61;

  /// Makes room; in a constant, every record that moves costs steps.
  constexpr void reserve(std::size_t vertices, std::size_t edges) {
    first_edge_.reserve(vertices);
    edges_.reserve(2 * edges);
  }
  constexpr auto add_vertex() -> std::uint32_t {
    first_edge_.push_back(no_edge);
    return static_cast<std::uint32_t>(first_edge_.size() - 1);
  }
  /// It is cut when `from` is on the source's side and `to` is not.
  constexpr void add_edge(std::uint32_t from, std::uint32_t to, amount capacity) {
    if (capacity <= 0 || from == to) return;
    push_edge(from, to, capacity);
    push_edge(to, from, 0);
  }

  /// The capacity of the least cut; afterwards `is_on_source_side` tells its sides, the source's as small as it can be.
  constexpr auto solve(std::uint32_t source, std::uint32_t sink) -> amount {
    amount flow = 0;
    while (find_levels(source, sink)) {
      next_edge_ = first_edge_;
      for (auto more = augment(source, sink); more != 0; more = augment(source, sink)) flow += more;
    }
    return flow;
  }
  constexpr auto is_on_source_side(std::uint32_t vertex) const -> bool { return level_[vertex] != unreached; }

 private:
  static constexpr std::uint32_t no_edge = 0xffffffffu;
  static constexpr std::uint32_t unreached = 0xffffffffu;
  struct edge {
    std::uint32_t to;
    std::uint32_t next;
    amount capacity;
  };

  // Edges stand in pairs, each beside its reverse.
  constexpr void push_edge(std::uint32_t from, std::uint32_t to, amount capacity) {
    edges_.push_back({to, first_edge_[from], capacity});
    first_edge_[from] = static_cast<std::uint32_t>(edges_.size() - 1);
  }

  constexpr auto find_levels(std::uint32_t source, std::uint32_t sink) -> bool {
    level_.assign(first_edge_.size(), unreached);
    level_[source] = 0;
    std::vector<std::uint32_t> open{source};
    for (std::size_t at = 0; at < open.size(); ++at) {
      const auto here = open[at];
      for (auto e = first_edge_[here]; e != no_edge; e = edges_[e].next) {
        if (edges_[e].capacity == 0 || level_[edges_[e].to] != unreached) continue;
        level_[edges_[e].to] = level_[here] + 1;
        open.push_back(edges_[e].to);
      }
    }
    return level_[sink] != unreached;
  }

  /// One more path from level to level; how much flows along it, 0 if there is none.
  constexpr auto augment(std::uint32_t source, std::uint32_t sink) -> amount {
    std::vector<std::uint32_t> path;
    auto here = source;
    while (here != sink) {
      const auto e = next_edge_[here];
      if (e == no_edge) {
        if (path.empty()) return 0;
        here = edges_[path.back() ^ 1].to;
        path.pop_back();
        next_edge_[here] = edges_[next_edge_[here]].next;
      } else if (edges_[e].capacity != 0 && level_[edges_[e].to] == level_[here] + 1) {
        path.push_back(e);
        here = edges_[e].to;
      } else {
        next_edge_[here] = edges_[e].next;
      }
    }
    amount least = unlimited;
    for (const auto e : path) least = std::min(least, edges_[e].capacity);
    for (const auto e : path) {
      edges_[e].capacity -= least;
      edges_[e ^ 1].capacity += least;
    }
    return least;
  }

  std::vector<std::uint32_t> first_edge_;
  std::vector<std::uint32_t> next_edge_;
  std::vector<edge> edges_;
  std::vector<std::uint32_t> level_;
};

}  // namespace baton
