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

constexpr auto holds(baton::span<const std::uint32_t> found, std::initializer_list<std::uint32_t> meant) -> bool {
  return std::equal(found.begin(), found.end(), meant.begin(), meant.end());
}

constexpr auto lists_are_those_of_the_vertex_in_the_order_given() -> bool {
  const baton::vector<edge> edges{{2, 7}, {0, 1}, {2, 0}, {2, 7}, {0, 3}};
  const adjacency lists(edges, 4);
  return lists.size() == 4 && holds(lists[0], {1, 3}) && lists[1].empty() && holds(lists[2], {7, 0, 7}) && lists[3].empty() &&
         holds(lists.items(), {1, 3, 7, 0, 7});
}
static_assert(lists_are_those_of_the_vertex_in_the_order_given());

constexpr auto nothing_has_no_lists() -> bool {
  return adjacency{}.size() == 0 && adjacency({}, 0).size() == 0 && adjacency({}, 2).size() == 2 && adjacency({}, 2)[1].empty();
}
static_assert(nothing_has_no_lists());

}  // namespace

TEST_CASE("the lists of vertices lie in one array") {
  CHECK(lists_are_those_of_the_vertex_in_the_order_given());
  CHECK(nothing_has_no_lists());
}
