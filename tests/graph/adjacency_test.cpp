// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/adjacency.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace {

using baton::adjacency;
using baton::edge;

constexpr auto holds(baton::span<const std::uint32_t> list, std::initializer_list<std::uint32_t> expected) -> bool {
  return std::equal(list.begin(), list.end(), expected.begin(), expected.end());
}

constexpr auto lists_keep_the_order_of_the_edges() -> bool {
  const baton::vector<edge> edges{{2, 7}, {0, 1}, {2, 0}, {2, 7}, {0, 3}};
  const adjacency lists(edges, 4);
  return lists.size() == 4 && holds(lists[0], {1, 3}) && lists[1].empty() && holds(lists[2], {7, 0, 7}) && lists[3].empty() &&
         holds(lists.items(), {1, 3, 7, 0, 7});
}
static_assert(lists_keep_the_order_of_the_edges());

constexpr auto an_empty_graph_has_empty_lists() -> bool {
  return adjacency{}.size() == 0 && adjacency({}, 0).size() == 0 && adjacency({}, 2).size() == 2 && adjacency({}, 2)[1].empty();
}
static_assert(an_empty_graph_has_empty_lists());

}  // namespace

TEST_CASE("adjacency stores the lists of all vertices in one array") {
  CHECK(lists_keep_the_order_of_the_edges());
  CHECK(an_empty_graph_has_empty_lists());
}
