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
  const auto found = strong_components({baton::vector<edge>{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 3}, {5, 0}}, 6});
  return found == numbers{1, 1, 1, 0, 0, 2};
}
static_assert(vertices_on_one_cycle_are_one_component());

/// From each vertex to each, whether a path leads there (S. Warshall, "A theorem on Boolean matrices", 1962).
auto reached(const baton::vector<edge>& edges, std::size_t size) -> baton::vector<char> {
  baton::vector<char> there(size * size, 0);
  for (std::size_t v = 0; v < size; ++v) there[v * size + v] = 1;
  for (const auto& [from, to] : edges) there[from * size + to] = 1;
  for (std::size_t by = 0; by < size; ++by) {
    for (std::size_t from = 0; from < size; ++from) {
      for (std::size_t to = 0; to < size; ++to) {
        if (there[from * size + by] != 0 && there[by * size + to] != 0) there[from * size + to] = 1;
      }
    }
  }
  return there;
}

}  // namespace

TEST_CASE("strong components") {
  CHECK(vertices_on_one_cycle_are_one_component());
  CHECK(strong_components({}).empty());
}
TEST_CASE("components of random graphs are what reaches one another, those that others lead to first") {
  constexpr std::uint32_t size = 9;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto edges = graph_tests::random_edges(seed, size, 6 + seed % 12, graph_tests::cycles::allowed);
    const auto found = strong_components({edges, size});
    const auto there = reached(edges, size);
    CAPTURE(seed);
    for (std::size_t a = 0; a < size; ++a) {
      for (std::size_t b = 0; b < size; ++b) {
        const bool forth = there[a * size + b] != 0;
        const bool back = there[b * size + a] != 0;
        CHECK((found[a] == found[b]) == (forth && back));
        if (forth && !back) CHECK(found[b] < found[a]);
      }
    }
  }
}
