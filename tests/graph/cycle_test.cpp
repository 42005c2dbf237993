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

// Unit 0 contains items 0 and 2. A path through item 1 (unit 1) leads back to unit 0, and so does a longer path through items 3 and 4
// (units 2 and 3). Item 5 (unit 4) follows them.
constexpr auto example_uses() -> path { return {{0, 1}, {0, 3}, {1, 2}, {2, 5}, {3, 4}, {4, 2}}; }

constexpr auto a_shortest_cycle_is_found() -> bool {
  const auto uses = example_uses();
  const items unit_of{0, 1, 0, 2, 3, 4};
  cycle_finder cycles(uses, unit_of, 5);
  return cycles.has_cycle() && cycles.shortest() == path{{0, 1}, {1, 2}};
}
static_assert(a_shortest_cycle_is_found());

constexpr auto a_shorter_cycle_replaces_a_longer_one() -> bool {
  const path uses{{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 6}};
  const items unit_of{0, 1, 2, 0, 3, 4, 3};
  return cycle_finder(uses, unit_of, 5).shortest() == path{{4, 5}, {5, 6}};
}
static_assert(a_shorter_cycle_replaces_a_longer_one());

constexpr auto a_cycle_through_a_unit_starts_with_the_use_that_enters_it() -> bool {
  const auto uses = example_uses();
  const items unit_of{0, 1, 0, 2, 3, 4};
  cycle_finder cycles(uses, unit_of, 5);
  return cycles.through(3) == path{{3, 4}, {4, 2}, {0, 3}} && cycles.through(1) == path{{0, 1}, {1, 2}} &&
         cycles.through(0) == path{{1, 2}, {0, 1}} && cycles.through(4).empty();
}
static_assert(a_cycle_through_a_unit_starts_with_the_use_that_enters_it());

constexpr auto units_of_one_item_form_no_cycle() -> bool {
  const auto uses = example_uses();
  const items unit_of{0, 1, 2, 3, 4, 5};
  cycle_finder cycles(uses, unit_of, 6);
  return !cycles.has_cycle() && cycles.shortest().empty() && cycles.through(2).empty();
}
static_assert(units_of_one_item_form_no_cycle());

}  // namespace

TEST_CASE("cycle_finder finds a shortest cycle, or a shortest cycle through a unit") {
  CHECK(a_shortest_cycle_is_found());
  CHECK(a_shorter_cycle_replaces_a_longer_one());
  CHECK(a_cycle_through_a_unit_starts_with_the_use_that_enters_it());
  CHECK(units_of_one_item_form_no_cycle());
}
