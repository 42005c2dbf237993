// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/components.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include "graph/random_graph.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using baton::edge;
using baton::strong_components;
using numbers = baton::vector<std::uint32_t>;

// 0 -> 1 -> 2 -> 0, 2 -> 3 -> 4 -> 3; 5 leads to 0.
constexpr auto vertices_on_one_cycle_are_one_component() -> bool {
  const auto components = strong_components({baton::vector<edge>{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {5, 0}}, 6});
  return components == numbers{1, 1, 1, 0, 0, 2};
}
static_assert(vertices_on_one_cycle_are_one_component());

/// Returns a [size, size] matrix: whether a path leads from one vertex to another (S. Warshall, "A theorem on Boolean matrices", 1962).
auto reachability(const baton::vector<edge>& edges, std::size_t size) -> baton::vector<char> {
  baton::vector<char> reaches(size * size, 0);
  for (std::size_t v = 0; v < size; ++v) reaches[v * size + v] = 1;
  for (const auto& [from, to] : edges) reaches[from * size + to] = 1;
  for (std::size_t through = 0; through < size; ++through) {
    for (std::size_t from = 0; from < size; ++from) {
      for (std::size_t to = 0; to < size; ++to) {
        if (reaches[from * size + through] != 0 && reaches[through * size + to] != 0) reaches[from * size + to] = 1;
      }
    }
  }
  return reaches;
}

}  // namespace

TEST_CASE("strong_components finds the vertices on one cycle") {
  CHECK(vertices_on_one_cycle_are_one_component());
  CHECK(strong_components({}).empty());
}
TEST_CASE("components of random graphs are the vertices that reach each other, successors first") {
  constexpr std::uint32_t size = 9;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto edges = graph_tests::random_edges(seed, size, 6 + seed % 12, graph_tests::cycles::allowed);
    const auto components = strong_components({edges, size});
    const auto reaches = reachability(edges, size);
    CAPTURE(seed);
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        const bool forth = reaches[a * size + b] != 0;
        const bool back = reaches[b * size + a] != 0;
        CHECK((components[a] == components[b]) == (forth && back));
        if (forth && !back) CHECK(components[b] < components[a]);
      }
    }
  }
}
