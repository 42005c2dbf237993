// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/minimum_cut.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <random>

namespace {

using baton::minimum_cut;

/// A textbook network with a minimum cut of 23 (T. H. Cormen and others, Introduction to Algorithms, figure 24.1). Its source and sink are
/// expressed as costs of their neighbors.
constexpr auto a_known_network_is_cut() -> bool {
  minimum_cut network(4, 5);
  network.add_vertex(16);
  network.add_vertex(13);
  network.add_vertex(-20);
  network.add_vertex(-4);
  network.add_edge(0, 2, 12, 0);
  network.add_edge(1, 0, 4, 0);
  network.add_edge(1, 3, 14, 0);
  network.add_edge(2, 1, 9, 0);
  network.add_edge(3, 2, 7, 0);
  network.solve();
  return !network.is_on_sink_side(0) && !network.is_on_sink_side(1) && network.is_on_sink_side(2) && !network.is_on_sink_side(3);
}
static_assert(a_known_network_is_cut());
TEST_CASE("minimum_cut solves a textbook network") { CHECK(a_known_network_is_cut()); }

/// A hub that gains by moving to the sink side, and neighbors that would have to move with it, but are forbidden to. Each prohibition is
/// added `times` times.
constexpr auto unlimited_costs_do_not_overflow(std::uint32_t vertices, int times) -> bool {
  minimum_cut network(vertices + 1, vertices);
  const auto hub = network.add_vertex(-100);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const auto forbidden = network.add_vertex(-1);
    for (int i = 0; i < times; ++i) network.add_excess(forbidden, minimum_cut::unlimited);
    network.add_edge(hub, forbidden, 0, minimum_cut::unlimited);
  }
  network.solve();
  return !network.is_on_sink_side(hub) && !network.is_on_sink_side(1);
}
static_assert(unlimited_costs_do_not_overflow(9, 9));
TEST_CASE("minimum_cut adds unlimited costs without overflow") { CHECK(unlimited_costs_do_not_overflow(5000, 5000)); }

constexpr auto vertices_without_edges_are_independent() -> bool {
  minimum_cut network(3, 2);
  network.add_vertex(5);
  network.add_vertex(-5);
  network.add_vertex();
  network.add_edge(0, 0, 5, 5);
  network.add_edge(0, 1, 0, 0);
  network.solve();
  return !network.is_on_sink_side(0) && network.is_on_sink_side(1) && !network.is_on_sink_side(2);
}
static_assert(vertices_without_edges_are_independent());
TEST_CASE("minimum_cut places vertices without edges independently") { CHECK(vertices_without_edges_are_independent()); }

constexpr auto a_cleared_network_is_used_again() -> bool {
  minimum_cut network(2, 1);
  network.add_vertex(3);
  network.add_vertex(-4);
  network.add_edge(0, 1, minimum_cut::unlimited, 0);
  network.solve();
  const bool both = network.is_on_sink_side(0) && network.is_on_sink_side(1);
  network.clear();
  network.add_vertex(4);
  network.add_vertex(-4);
  network.add_edge(0, 1, minimum_cut::unlimited, 0);
  network.solve();
  return both && !network.is_on_sink_side(0) && !network.is_on_sink_side(1);
}
static_assert(a_cleared_network_is_used_again());
TEST_CASE("minimum_cut can be used again after clear") { CHECK(a_cleared_network_is_used_again()); }

struct edge {
  std::uint32_t a, b;
  std::int64_t forth, back;
};

/// Compares the cut with all cuts of a random network. Its cost is minimal, and no other minimum cut has fewer vertices on the sink side.
void check_random_network(std::uint32_t seed, std::uint32_t max_vertices, std::uint32_t max_edges) {
  std::mt19937 random(seed);
  const auto vertices = static_cast<std::uint32_t>(1 + random() % max_vertices);
  const auto count = random() % max_edges;
  baton::vector<std::int64_t> excess;
  baton::vector<edge> edges;
  minimum_cut network(vertices, count);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    excess.push_back(static_cast<std::int64_t>(random() % 21) - 10);
    network.add_vertex(excess.back());
  }
  for (std::size_t e = 0; e < count; ++e) {
    const auto capacity = [&] { return random() % 9 == 0 ? minimum_cut::unlimited / 2 : static_cast<std::int64_t>(random() % 8); };
    edges.push_back({static_cast<std::uint32_t>(random() % vertices), static_cast<std::uint32_t>(random() % vertices), capacity(),
                     random() % 2 == 0 ? capacity() : 0});
    network.add_edge(edges.back().a, edges.back().b, edges.back().forth, edges.back().back);
  }
  const auto cost_of = [&](std::uint32_t sink_side) {
    const auto is_in_sink = [&](std::uint32_t v) { return (sink_side >> v & 1) != 0; };
    std::int64_t cost = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) cost += is_in_sink(v) ? excess[v] : 0;
    for (const auto& e : edges) {
      const auto more = is_in_sink(e.a) == is_in_sink(e.b) ? 0 : is_in_sink(e.b) ? e.forth : e.back;
      cost = std::min(minimum_cut::unlimited / 2, cost + more);
    }
    return cost;
  };
  std::uint32_t best = 0;
  for (std::uint32_t side = 0; side < 1u << vertices; ++side) {
    const auto less = cost_of(side) - cost_of(best);
    if (less < 0 || (less == 0 && std::popcount(side) < std::popcount(best))) best = side;
  }
  network.solve();
  std::uint32_t solution = 0;
  for (std::uint32_t v = 0; v < vertices; ++v) solution |= network.is_on_sink_side(v) ? 1u << v : 0;
  REQUIRE_MESSAGE(solution == best, "seed ", seed);
}
TEST_CASE("minimum_cut finds the best of all cuts of random networks") {
  for (std::uint32_t seed = 0; seed < 4000; ++seed) check_random_network(seed, 7, 12);
  for (std::uint32_t seed = 0; seed < 2000; ++seed) check_random_network(seed, 9, 36);
}

TEST_CASE("minimum_cut does not recurse on a chain or a ladder of 100,000 vertices") {
  const auto is_cut_once = [](std::uint32_t rungs) {
    const std::uint32_t vertices = 100'000;
    minimum_cut network(vertices, 2 * vertices);
    for (std::uint32_t v = 0; v < vertices; ++v) network.add_vertex(v < 2 ? 5000 : v + 2 >= vertices ? -5000 : 0);
    for (std::uint32_t v = 2; v < vertices; ++v) network.add_edge(v - 2, v, 2 + (v * 7919) % 1000, 3);
    for (std::uint32_t v = 1; v < vertices; v += rungs) network.add_edge(v - 1, v, 7, 7);
    network.solve();
    std::uint32_t cut = 0;
    for (std::uint32_t v = 2; v < vertices; ++v) cut += !network.is_on_sink_side(v - 2) && network.is_on_sink_side(v) ? 1 : 0;
    return cut >= 2;
  };
  CHECK(is_cut_once(99'999));
  CHECK(is_cut_once(2));
}

}  // namespace
