// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cheapest way to cut a network in two.
#pragma once

#include <baton/core/shared/work_array.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// Vertices that stand on the source's side or on the sink's, what either side costs each, what it costs to part two of them, and the
/// cheapest sides. Solved in two stages: first, a vertex with at most two neighbours is taken out, and what it would choose for each of
/// their choices becomes their own costs (elimination of variables: U. Bertele, F. Brioschi, Nonserial Dynamic Programming, 1972); of
/// chains and of residual links nothing remains. Then blocking flows on the rest (E. A. Dinic, Algorithm for solution of a problem of
/// maximum flow in networks with power estimation, Soviet Math. Doklady 11, 1970). No recursion, whatever the depth. The sum of all costs
/// that are not `unlimited` must stay below it.
class minimum_cut {
 public:
  using amount = std::int64_t;
  /// The cost of what must not be.
  static constexpr amount unlimited = std::int64_t{1} << 61;

  /// Room for so many vertices and edges.
  constexpr minimum_cut(std::size_t vertices, std::size_t edges)
      : vertices_(vertices),
        edges_(2 * edges),
        taken_out_(vertices),
        open_(2 * vertices) {}
  constexpr void clear() { vertex_count_ = edge_count_ = taken_out_count_ = 0; }

  /// `excess`: what the sink's side costs more than the source's.
  constexpr auto add_vertex(amount excess = 0) -> std::uint32_t {
    vertices_.items[vertex_count_] = {excess, npos, 0, 0, npos, false};
    return vertex_count_++;
  }
  /// What comes to more than `unlimited` counts as that, however often it is added.
  constexpr void add_excess(std::uint32_t of, amount excess) {
    auto& sum = vertices_.items[of].excess;
    sum = std::min(unlimited, sum + excess);
  }
  /// `forth` is paid when `a` is on the source's side and `b` on the sink's, `back` in the opposite case.
  constexpr void add_edge(std::uint32_t a, std::uint32_t b, amount forth, amount back) {
    if (a == b || (forth == 0 && back == 0)) return;
    push_edge(a, b, forth, edge_count_ + 1);
    push_edge(b, a, back, edge_count_ - 1);
  }

  /// Finds the cheapest sides; among equals those with the fewest vertices on the sink's.
  constexpr void solve() {
    take_out_small();
    auto* const vertices = vertices_.items;
    rest_ = 0;
    for (std::uint32_t v = 0; v < vertex_count_; ++v) {
      if (!vertices[v].is_out) open_.items[vertex_count_ + rest_++] = v;
    }
    while (rest_ != 0 && find_levels()) push_flow();
    while (taken_out_count_ != 0) choose_side(taken_out_.items[--taken_out_count_]);
  }
  constexpr auto is_on_sink_side(std::uint32_t vertex) const -> bool { return vertices_.items[vertex].level != 0; }

 private:
  static constexpr std::uint32_t few_edges = 4;
  // Records without constructors: see `work_array`.
  struct vertex_record {
    amount excess;
    std::uint32_t first_edge;
    std::uint32_t degree;
    std::uint32_t level;  ///< 1 + the edges to the nearest vertex that wants to the sink's side; 0: no way there
    std::uint32_t next_edge;
    bool is_out;
  };
  struct edge {
    std::uint32_t to;
    std::uint32_t mate;  ///< the same edge, seen from the other end; a removed edge is its own
    std::uint32_t next;
    amount capacity;
  };
  /// A vertex `v` between `p` and `q` (or fewer, all of whose costs are 0 then).
  struct taken_out {
    std::uint32_t v, p, q;
    amount excess, from_p, to_p, from_q, to_q;
  };

  constexpr void push_edge(std::uint32_t from, std::uint32_t to, amount capacity, std::uint32_t mate) {
    auto& of = vertices_.items[from];
    edges_.items[edge_count_] = {to, mate, of.first_edge, capacity};
    of.first_edge = edge_count_++;
    ++of.degree;
  }

  // First stage.

  constexpr void take_out_small() {
    auto* const open = open_.items;
    const auto* const vertices = vertices_.items;
    std::uint32_t waiting = 0;
    for (auto v = vertex_count_; v-- > 0;) {
      if (vertices[v].degree <= few_edges) open[waiting++] = v;
    }
    while (waiting != 0) {
      const auto v = open[--waiting];
      if (vertices[v].is_out || !take_out(v)) continue;
      const auto& last = taken_out_.items[taken_out_count_ - 1];
      if (!vertices[last.p].is_out && vertices[last.p].degree <= few_edges) open[waiting++] = last.p;
      if (!vertices[last.q].is_out && vertices[last.q].degree <= few_edges && last.q != last.p) open[waiting++] = last.q;
    }
  }

  /// Makes parallel edges one; takes the vertex out if it then has two neighbours at most.
  constexpr auto take_out(std::uint32_t v) -> bool {
    auto* const edges = edges_.items;
    std::uint32_t found[2] = {npos, npos};
    for (auto* at = &vertices_.items[v].first_edge; *at != npos;) {
      auto& here = edges[*at];
      if (here.mate == *at) {
        *at = here.next;
      } else if (found[0] == npos) {
        found[0] = *at;
        at = &here.next;
      } else if (here.to == edges[found[0]].to) {
        merge(*at, found[0]);
        *at = here.next;
      } else if (found[1] == npos) {
        found[1] = *at;
        at = &here.next;
      } else if (here.to == edges[found[1]].to) {
        merge(*at, found[1]);
        *at = here.next;
      } else {
        return false;
      }
    }
    pass_choices_on(v, found[0], found[1]);
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
  /// The edge is gone for this end, which still has it in its list.
  constexpr void remove(std::uint32_t e) {
    auto& gone = edges_.items[e];
    --vertices_.items[edges_.items[gone.mate].to].degree;
    gone = {0, e, gone.next, 0};
  }

  constexpr void pass_choices_on(std::uint32_t v, std::uint32_t to_p, std::uint32_t to_q) {
    auto* const vertices = vertices_.items;
    auto* const edges = edges_.items;
    auto& out = taken_out_.items[taken_out_count_++];
    out = {v, v, v, vertices[v].excess, 0, 0, 0, 0};
    vertices[v].is_out = true;
    if (to_p == npos) return;
    const auto from_p = edges[to_p].mate;
    out.p = edges[to_p].to;
    out.from_p = edges[from_p].capacity;
    out.to_p = edges[to_p].capacity;
    if (to_q == npos) {
      // What it costs p to be on the sink's side: v follows, or stays behind.
      add_excess(out.p, std::min(out.to_p, out.excess) - std::min(amount{0}, out.excess + out.from_p));
      remove(from_p);
      return;
    }
    const auto from_q = edges[to_q].mate;
    out.q = edges[to_q].to;
    out.from_q = edges[from_q].capacity;
    out.to_q = edges[to_q].capacity;
    // The least cost with neither, p, q, or both on the sink's side; then the same as costs of p, of q, and of parting them.
    const auto neither = std::min(amount{0}, out.excess + out.from_p + out.from_q);
    const auto with_p = std::min(out.to_p, out.excess + out.from_q);
    const auto with_q = std::min(out.to_q, out.excess + out.from_p);
    const auto with_both = std::min(out.to_p + out.to_q, out.excess);
    const auto of_p = std::clamp(amount{0}, with_both - with_q, with_p - neither);
    const auto of_q = with_both - neither - of_p;
    add_excess(out.p, of_p);
    add_excess(out.q, of_q);
    edges[from_p] = {out.q, from_q, edges[from_p].next, std::min(unlimited, with_q - neither - of_q)};
    edges[from_q] = {out.p, from_p, edges[from_q].next, std::min(unlimited, with_p - neither - of_p)};
  }

  constexpr void choose_side(const taken_out& of) {
    auto* const vertices = vertices_.items;
    const bool p = of.p != of.v && vertices[of.p].level != 0;
    const bool q = of.q != of.v && vertices[of.q].level != 0;
    const auto on_source_side = (p ? of.to_p : 0) + (q ? of.to_q : 0);
    const auto on_sink_side = of.excess + (p ? 0 : of.from_p) + (q ? 0 : of.from_q);
    vertices[of.v].level = on_sink_side < on_source_side ? 1 : 0;
  }

  // Second stage. Excess flows from vertices that have some to those that lack some.

  /// Whether there is a way for any excess.
  constexpr auto find_levels() -> bool {
    auto* const vertices = vertices_.items;
    const auto* const edges = edges_.items;
    auto* const open = open_.items;
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < rest_; ++i) {
      auto& of = vertices[open[vertex_count_ + i]];
      of.next_edge = of.first_edge;
      of.level = of.excess < 0 ? 1 : 0;
      if (of.excess < 0) open[end++] = open[vertex_count_ + i];
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

  constexpr void push_flow() {
    const auto* const vertices = vertices_.items;
    for (std::uint32_t i = 0; i < rest_; ++i) {
      const auto v = open_.items[vertex_count_ + i];
      while (vertices[v].excess > 0 && vertices[v].level != 0 && augment(v)) {
      }
    }
  }

  /// Follows one more path from level to level; false: there is none.
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
  work_array<taken_out> taken_out_;
  work_array<std::uint32_t> open_;  // a queue, a stack or a path; behind it, what remains for the second stage
  std::uint32_t vertex_count_ = 0;
  std::uint32_t edge_count_ = 0;
  std::uint32_t taken_out_count_ = 0;
  std::uint32_t rest_ = 0;
};

}  // namespace baton
