// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Minimum cuts of networks.
#pragma once

#include <baton/core/shared/work_array.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// A minimum cut of a network. A cut assigns each vertex to the source side or to the sink side. Each vertex has a cost on each side, and
/// each edge has a cost if its ends are on different sides. A minimum cut has the lowest sum of costs. `solve` computes a minimum cut in
/// two stages. The first stage eliminates vertices with at most two neighbors. For each assignment of the neighbors to sides, an eliminated
/// vertex takes its cheaper side. The cost of this side becomes a cost of the neighbors (variable elimination: U. Bertele, F. Brioschi,
/// Nonserial Dynamic Programming, 1972). The first stage eliminates chains and residual connections entirely. The second stage solves the
/// remaining network by blocking flows (E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks with power estimation,
/// Soviet Math. Doklady 11, 1970). There is no recursion, so the depth of the network does not affect the stack. The sum of all costs other
/// than `unlimited` must be less than `unlimited`.
class minimum_cut {
 public:
  using amount = std::int64_t;
  /// The cost of a forbidden choice.
  static constexpr amount unlimited = std::int64_t{1} << 61;

  /// Reserves memory for `vertices` vertices and `edges` edges.
  constexpr minimum_cut(std::size_t vertices, std::size_t edges)
      : vertices_(vertices),
        edges_(2 * edges),
        eliminated_(vertices),
        open_(2 * vertices) {}
  /// Removes all vertices and edges.
  constexpr void clear() { vertex_count_ = edge_count_ = eliminated_count_ = 0; }

  /// Adds a vertex and returns its number. `excess` is the cost of the vertex on the sink side minus its cost on the source side.
  constexpr auto add_vertex(amount excess = 0) -> std::uint32_t {
    vertices_.items[vertex_count_] = {excess, npos, 0, 0, npos, false};
    return vertex_count_++;
  }
  /// Adds `excess` to the excess of a vertex. A sum above `unlimited` becomes `unlimited`, so repeated calls with a positive `excess` do
  /// not overflow.
  constexpr void add_excess(std::uint32_t vertex, amount excess) {
    auto& sum = vertices_.items[vertex].excess;
    sum = std::min(unlimited, sum + excess);
  }
  /// Adds an edge. The edge costs `forth` if `a` is on the source side and `b` on the sink side. It costs `back` if `b` is on the source
  /// side and `a` on the sink side.
  constexpr void add_edge(std::uint32_t a, std::uint32_t b, amount forth, amount back) {
    if (a == b || (forth == 0 && back == 0)) return;
    push_edge(a, b, forth, edge_count_ + 1);
    push_edge(b, a, back, edge_count_ - 1);
  }

  /// Computes a minimum cut. If there are several minimum cuts, chooses a cut with the fewest vertices on the sink side.
  constexpr void solve() {
    eliminate_small();
    auto* const vertices = vertices_.items;
    remaining_ = 0;
    for (std::uint32_t v = 0; v < vertex_count_; ++v) {
      if (!vertices[v].is_eliminated) open_.items[vertex_count_ + remaining_++] = v;
    }
    while (remaining_ != 0 && find_levels()) push_flow();
    while (eliminated_count_ != 0) choose_side(eliminated_.items[--eliminated_count_]);
  }
  /// True if `solve` assigned the vertex to the sink side.
  constexpr auto is_on_sink_side(std::uint32_t vertex) const -> bool { return vertices_.items[vertex].level != 0; }

 private:
  static constexpr std::uint32_t few_edges = 4;  // the maximum degree at which elimination is tried, counting parallel edges
  // These records have no constructors, so that a `work_array` of them is cheap to allocate in a constant expression.
  struct vertex_record {
    amount excess;
    std::uint32_t first_edge;
    std::uint32_t degree;
    /// 1 + the distance to the nearest reachable vertex with negative excess, or 0 if there is none. After `solve`, 0 means the source
    /// side.
    std::uint32_t level;
    std::uint32_t next_edge;
    bool is_eliminated;
  };
  struct edge {
    std::uint32_t to;
    std::uint32_t mate;  ///< the position of the reverse edge; a removed edge is its own mate
    std::uint32_t next;
    amount capacity;  ///< the cost of the edge, minus the flow along the edge
  };
  /// An eliminated vertex `v` with the neighbors `p` and `q`. `from_p` and `to_p` are the capacities of the edges p → v and v → p. If a
  /// neighbor is missing, it is stored as `v` itself, and its two capacities are 0.
  struct eliminated_vertex {
    std::uint32_t v, p, q;
    amount excess, from_p, to_p, from_q, to_q;
  };

  constexpr void push_edge(std::uint32_t from, std::uint32_t to, amount capacity, std::uint32_t mate) {
    auto& start = vertices_.items[from];
    edges_.items[edge_count_] = {to, mate, start.first_edge, capacity};
    start.first_edge = edge_count_++;
    ++start.degree;
  }

  // First stage.

  /// Eliminates vertices of low degree. The neighbors of an eliminated vertex are tried again.
  constexpr void eliminate_small() {
    auto* const open = open_.items;
    const auto* const vertices = vertices_.items;
    std::uint32_t waiting = 0;
    for (auto v = vertex_count_; v-- > 0;) {
      if (vertices[v].degree <= few_edges) open[waiting++] = v;
    }
    while (waiting != 0) {
      const auto v = open[--waiting];
      if (vertices[v].is_eliminated || !try_eliminate(v)) continue;
      const auto& last = eliminated_.items[eliminated_count_ - 1];
      if (!vertices[last.p].is_eliminated && vertices[last.p].degree <= few_edges) open[waiting++] = last.p;
      if (!vertices[last.q].is_eliminated && vertices[last.q].degree <= few_edges && last.q != last.p) open[waiting++] = last.q;
    }
  }

  /// Merges the parallel edges of a vertex, and eliminates the vertex if it has at most two neighbors. Returns true if `v` was eliminated.
  constexpr auto try_eliminate(std::uint32_t v) -> bool {
    auto* const edges = edges_.items;
    std::uint32_t kept[2] = {npos, npos};
    for (auto* at = &vertices_.items[v].first_edge; *at != npos;) {
      auto& here = edges[*at];
      if (here.mate == *at) {
        *at = here.next;
      } else if (kept[0] == npos) {
        kept[0] = *at;
        at = &here.next;
      } else if (here.to == edges[kept[0]].to) {
        merge(*at, kept[0]);
        *at = here.next;
      } else if (kept[1] == npos) {
        kept[1] = *at;
        at = &here.next;
      } else if (here.to == edges[kept[1]].to) {
        merge(*at, kept[1]);
        *at = here.next;
      } else {
        return false;
      }
    }
    eliminate(v, kept[0], kept[1]);
    return true;
  }

  constexpr void merge(std::uint32_t parallel, std::uint32_t into) {
    auto* const edges = edges_.items;
    const auto mate = edges[into].mate;
    edges[into].capacity = std::min(unlimited, edges[into].capacity + edges[parallel].capacity);
    edges[mate].capacity = std::min(unlimited, edges[mate].capacity + edges[edges[parallel].mate].capacity);
    --vertices_.items[edges[mate].to].degree;
    remove(edges[parallel].mate);
  }
  /// Marks the edge `e` as removed, and reduces the degree of its start. The edge remains in the edge list of its start, without capacity.
  constexpr void remove(std::uint32_t e) {
    auto& removed = edges_.items[e];
    --vertices_.items[edges_.items[removed.mate].to].degree;
    removed = {0, e, removed.next, 0};
  }

  /// Eliminates a vertex that has at most two edges, `to_p` and `to_q`. A missing edge is `npos`.
  constexpr void eliminate(std::uint32_t v, std::uint32_t to_p, std::uint32_t to_q) {
    auto* const vertices = vertices_.items;
    auto* const edges = edges_.items;
    auto& out = eliminated_.items[eliminated_count_++];
    out = {v, v, v, vertices[v].excess, 0, 0, 0, 0};
    vertices[v].is_eliminated = true;
    if (to_p == npos) return;
    const auto from_p = edges[to_p].mate;
    out.p = edges[to_p].to;
    out.from_p = edges[from_p].capacity;
    out.to_p = edges[to_p].capacity;
    if (to_q == npos) {
      // Increases the excess of p by the cost with p on the sink side, minus the cost with p on the source side. Both costs assume the
      // cheaper side for v.
      add_excess(out.p, std::min(out.to_p, out.excess) - std::min(amount{0}, out.excess + out.from_p));
      remove(from_p);
      return;
    }
    const auto from_q = edges[to_q].mate;
    out.q = edges[to_q].to;
    out.from_q = edges[from_q].capacity;
    out.to_q = edges[to_q].capacity;
    // The minimum costs if neither p nor q, only p, only q, or both are on the sink side. The assignments below convert these costs to
    // excesses of p and q and to capacities of the edge between p and q.
    const auto cost_of_neither = std::min(amount{0}, out.excess + out.from_p + out.from_q);
    const auto cost_of_p = std::min(out.to_p, out.excess + out.from_q);
    const auto cost_of_q = std::min(out.to_q, out.excess + out.from_p);
    const auto cost_of_both = std::min(out.to_p + out.to_q, out.excess);
    const auto excess_of_p = std::clamp(amount{0}, cost_of_both - cost_of_q, cost_of_p - cost_of_neither);
    const auto excess_of_q = cost_of_both - cost_of_neither - excess_of_p;
    add_excess(out.p, excess_of_p);
    add_excess(out.q, excess_of_q);
    edges[from_p] = {out.q, from_q, edges[from_p].next, std::min(unlimited, cost_of_q - cost_of_neither - excess_of_q)};
    edges[from_q] = {out.p, from_p, edges[from_q].next, std::min(unlimited, cost_of_p - cost_of_neither - excess_of_p)};
  }

  /// Chooses the cheaper side of an eliminated vertex, given the sides of its neighbors.
  constexpr void choose_side(const eliminated_vertex& vertex) {
    auto* const vertices = vertices_.items;
    const bool is_p_on_sink_side = vertex.p != vertex.v && vertices[vertex.p].level != 0;
    const bool is_q_on_sink_side = vertex.q != vertex.v && vertices[vertex.q].level != 0;
    const auto source_cost = (is_p_on_sink_side ? vertex.to_p : 0) + (is_q_on_sink_side ? vertex.to_q : 0);
    const auto sink_cost = vertex.excess + (is_p_on_sink_side ? 0 : vertex.from_p) + (is_q_on_sink_side ? 0 : vertex.from_q);
    vertices[vertex.v].level = sink_cost < source_cost ? 1 : 0;
  }

  // Second stage. Excess flows from vertices with positive excess to vertices with negative excess.

  /// Computes the level of each remaining vertex. Returns true if there is a path from a vertex with positive excess to a vertex with
  /// negative excess.
  constexpr auto find_levels() -> bool {
    auto* const vertices = vertices_.items;
    const auto* const edges = edges_.items;
    auto* const open = open_.items;
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < remaining_; ++i) {
      auto& vertex = vertices[open[vertex_count_ + i]];
      vertex.next_edge = vertex.first_edge;
      vertex.level = vertex.excess < 0 ? 1 : 0;
      if (vertex.excess < 0) open[end++] = open[vertex_count_ + i];
    }
    bool is_reached = false;
    for (std::uint32_t at = 0; at < end; ++at) {
      const auto& here = vertices[open[at]];
      is_reached = is_reached || here.excess > 0;
      for (auto e = here.first_edge; e != npos; e = edges[e].next) {
        if (edges[edges[e].mate].capacity == 0 || vertices[edges[e].to].level != 0) continue;
        vertices[edges[e].to].level = here.level + 1;
        open[end++] = edges[e].to;
      }
    }
    return is_reached;
  }

  /// Sends flow until no path along the current levels has capacity left.
  constexpr void push_flow() {
    const auto* const vertices = vertices_.items;
    for (std::uint32_t i = 0; i < remaining_; ++i) {
      const auto v = open_.items[vertex_count_ + i];
      while (vertices[v].excess > 0 && vertices[v].level != 0 && augment(v)) {
      }
    }
  }

  /// Sends flow from `start` along a path of descending levels. Returns false if there is no such path.
  constexpr auto augment(std::uint32_t start) -> bool {
    auto* const vertices = vertices_.items;
    auto* const edges = edges_.items;
    auto* const path = open_.items;
    std::uint32_t length = 0;
    auto here = start;
    while (vertices[here].excess >= 0 || vertices[here].level != 1) {
      const auto e = vertices[here].next_edge;
      if (e == npos || vertices[here].level == 1) {
        if (length == 0) return false;
        here = edges[edges[path[--length]].mate].to;
        vertices[here].next_edge = edges[vertices[here].next_edge].next;
      } else if (edges[e].capacity != 0 && vertices[edges[e].to].level + 1 == vertices[here].level) {
        path[length++] = e;
        here = edges[e].to;
      } else {
        vertices[here].next_edge = edges[e].next;
      }
    }
    auto flow = std::min(vertices[start].excess, -vertices[here].excess);
    for (std::uint32_t i = 0; i < length; ++i) flow = std::min(flow, edges[path[i]].capacity);
    for (std::uint32_t i = 0; i < length; ++i) {
      edges[path[i]].capacity -= flow;
      edges[edges[path[i]].mate].capacity += flow;
    }
    vertices[start].excess -= flow;
    vertices[here].excess += flow;
    return true;
  }

  work_array<vertex_record> vertices_;
  work_array<edge> edges_;
  work_array<eliminated_vertex> eliminated_;
  // In the first stage, a stack of vertices. In the second stage, the first `vertex_count_` items are a queue of vertices (`find_levels`)
  // or a path of edges (`augment`). The `remaining_` vertices that are not eliminated follow.
  work_array<std::uint32_t> open_;
  std::uint32_t vertex_count_ = 0;
  std::uint32_t edge_count_ = 0;
  std::uint32_t eliminated_count_ = 0;
  std::uint32_t remaining_ = 0;
};

}  // namespace baton
