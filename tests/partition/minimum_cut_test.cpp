// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/minimum_cut.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace {

using baton::minimum_cut;

/// The example of the literature: source 0, sink 5, cut of 23 (T. H. Cormen and others, Introduction to Algorithms, figure 24.1).
constexpr auto a_known_network_is_cut() -> bool {
  minimum_cut network;
  for (int i = 0; i < 6; ++i) network.add_vertex();
  network.add_edge(0, 1, 16);
  network.add_edge(0, 2, 13);
  network.add_edge(1, 3, 12);
  network.add_edge(2, 1, 4);
  network.add_edge(2, 4, 14);
  network.add_edge(3, 2, 9);
  network.add_edge(3, 5, 20);
  network.add_edge(4, 3, 7);
  network.add_edge(4, 5, 4);
  return network.solve(0, 5) == 23 && network.is_on_source_side(0) && !network.is_on_source_side(5) && network.is_on_source_side(1) &&
         network.is_on_source_side(2) && network.is_on_source_side(4) && !network.is_on_source_side(3);
}
static_assert(a_known_network_is_cut());
TEST_CASE("minimum cut: a known network") { CHECK(a_known_network_is_cut()); }

constexpr auto what_is_not_connected_costs_nothing() -> bool {
  minimum_cut network;
  for (int i = 0; i < 3; ++i) network.add_vertex();
  network.add_edge(0, 1, 5);
  network.add_edge(0, 0, 5);
  network.add_edge(1, 2, 0);
  return network.solve(0, 2) == 0 && network.is_on_source_side(1);
}
static_assert(what_is_not_connected_costs_nothing());
TEST_CASE("minimum cut: source and sink apart") { CHECK(what_is_not_connected_costs_nothing()); }

TEST_CASE("minimum cut: equals the best of all cuts on random networks, and its sides cost what it says") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    const auto vertices = static_cast<std::uint32_t>(2 + random() % 7);
    struct edge {
      std::uint32_t from, to;
      std::int64_t capacity;
    };
    std::vector<edge> edges;
    minimum_cut network;
    for (std::uint32_t v = 0; v < vertices; ++v) network.add_vertex();
    for (auto e = random() % 20; e > 0; --e) {
      edges.push_back({static_cast<std::uint32_t>(random() % vertices), static_cast<std::uint32_t>(random() % vertices),
                       static_cast<std::int64_t>(random() % 10)});
      network.add_edge(edges.back().from, edges.back().to, edges.back().capacity);
    }
    const auto cost_of = [&](auto is_source) {
      std::int64_t cost = 0;
      for (const auto& e : edges) cost += is_source(e.from) && !is_source(e.to) ? e.capacity : 0;
      return cost;
    };
    std::int64_t best = minimum_cut::unlimited;
    for (std::uint32_t side = 0; side < 1u << vertices; ++side) {
      const auto is_source = [&](std::uint32_t v) { return (side >> v & 1) != 0; };
      if (is_source(0) && !is_source(1)) best = std::min(best, cost_of(is_source));
    }
    REQUIRE_MESSAGE(network.solve(0, 1) == best, "seed ", seed);
    REQUIRE_MESSAGE(cost_of([&](std::uint32_t v) { return network.is_on_source_side(v); }) == best, "seed ", seed);
  }
}

TEST_CASE("minimum cut: a chain of 100,000 vertices, without recursion") {
  minimum_cut network;
  network.add_vertex();
  for (std::uint32_t v = 1; v < 100'000; ++v) network.add_edge(v - 1, network.add_vertex(), 1 + (v * 7919) % 1000);
  CHECK(network.solve(0, 99'999) == 1);
}

}  // namespace
