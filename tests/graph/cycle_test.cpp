// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/cycle.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using baton::cycle_finder;
using baton::edge;
using items = baton::vector<std::uint32_t>;
using path = baton::vector<edge>;

// Unit 0 holds items 0 and 2; the path through 1 (unit 1) comes back to it, and so does the longer one through 3 and 4 (units 2 and 3).
// Item 5 (unit 4) is behind them.
constexpr auto uses_between() -> path { return {{0, 1}, {0, 3}, {1, 2}, {2, 5}, {3, 4}, {4, 2}}; }

constexpr auto a_shortest_cycle_is_found() -> bool {
  const auto uses = uses_between();
  const items unit_of{0, 1, 0, 2, 3, 4};
  cycle_finder cycles(uses, unit_of, 5);
  return cycles.has_cycle() && cycles.shortest() == path{{0, 1}, {1, 2}};
}
static_assert(a_shortest_cycle_is_found());

constexpr auto a_cycle_through_a_unit_begins_where_it_is_entered() -> bool {
  const auto uses = uses_between();
  const items unit_of{0, 1, 0, 2, 3, 4};
  cycle_finder cycles(uses, unit_of, 5);
  return cycles.through(3) == path{{3, 4}, {4, 2}, {0, 3}} && cycles.through(1) == path{{0, 1}, {1, 2}} &&
         cycles.through(0) == path{{1, 2}, {0, 1}} && cycles.through(4).empty();
}
static_assert(a_cycle_through_a_unit_begins_where_it_is_entered());

constexpr auto items_alone_form_none() -> bool {
  const auto uses = uses_between();
  const items unit_of{0, 1, 2, 3, 4, 5};
  cycle_finder cycles(uses, unit_of, 6);
  return !cycles.has_cycle() && cycles.shortest().empty() && cycles.through(2).empty();
}
static_assert(items_alone_form_none());

}  // namespace

TEST_CASE("cycles among units are found, shortest first, or through a unit") {
  CHECK(a_shortest_cycle_is_found());
  CHECK(a_cycle_through_a_unit_begins_where_it_is_entered());
  CHECK(items_alone_form_none());
}
