// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/order.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include "graph/random_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

using baton::adjacency;
using baton::edge;
using baton::topological_order;
using vertices = baton::vector<std::uint32_t>;

// 4 -> 1 -> 0, 4 -> 3 -> 0; 2 has no edges.
constexpr auto a_graph() -> adjacency { return {baton::vector<edge>{{4, 1}, {4, 3}, {1, 0}, {3, 0}, {4, 3}}, 5}; }
// 0 -> 1 -> 2 -> 1, 2 -> 3: 1 and 2 are on a cycle, and 3 follows it.
constexpr auto a_cycle() -> adjacency { return {baton::vector<edge>{{0, 1}, {1, 2}, {2, 1}, {2, 3}}, 4}; }

constexpr auto each_vertex_follows_its_predecessors() -> bool { return topological_order(a_graph()) == vertices{2, 4, 1, 3, 0}; }
static_assert(each_vertex_follows_its_predecessors());

constexpr auto ranks_decide_if_edges_do_not() -> bool {
  return topological_order(a_graph(), vertices{0, 1, 2, 3, 4}) == vertices{2, 4, 1, 3, 0} &&
         topological_order(a_graph(), vertices{4, 3, 2, 1, 0}) == vertices{4, 3, 2, 1, 0} &&
         topological_order(a_graph(), vertices{0, 2, 4, 1, 3}) == vertices{4, 3, 1, 0, 2};
}
static_assert(ranks_decide_if_edges_do_not());

constexpr auto vertices_on_a_cycle_or_after_it_are_omitted() -> bool {
  return topological_order(a_cycle()) == vertices{0} && topological_order(a_cycle(), vertices{3, 2, 1, 0}) == vertices{0};
}
static_assert(vertices_on_a_cycle_or_after_it_are_omitted());

/// Whether `order` contains all vertices and no edge leads backward.
auto is_order_of(const vertices& order, const baton::vector<edge>& edges, std::size_t size) -> bool {
  vertices position(size, 0xffffffffu);
  for (std::uint32_t at = 0; at < order.size(); ++at) position[order[at]] = at;
  return order.size() == size && std::none_of(position.begin(), position.end(), [](auto at) { return at == 0xffffffffu; }) &&
         std::all_of(edges.begin(), edges.end(), [&](const edge& e) { return position[e.first] < position[e.second]; });
}

}  // namespace

TEST_CASE("topological_order respects edges, then ranks, and omits cycles") {
  CHECK(each_vertex_follows_its_predecessors());
  CHECK(ranks_decide_if_edges_do_not());
  CHECK(vertices_on_a_cycle_or_after_it_are_omitted());
}
TEST_CASE("random acyclic graphs have an order, and each vertex is as early as its rank allows") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto edges = graph_tests::random_edges(seed, 12, 20, graph_tests::cycles::none);
    CAPTURE(seed);
    CHECK(is_order_of(topological_order({edges, 12}), edges, 12));
    const auto ranks = graph_tests::random_ranks(seed, 12);
    const auto ranked = topological_order({edges, 12}, ranks);
    CHECK(is_order_of(ranked, edges, 12));
    // A vertex directly before a vertex of lower rank has an edge to it.
    for (std::size_t at = 0; at + 1 < ranked.size(); ++at) {
      if (ranks[ranked[at]] < ranks[ranked[at + 1]]) continue;
      CHECK(std::find(edges.begin(), edges.end(), edge{ranked[at], ranked[at + 1]}) != edges.end());
    }
  }
}
