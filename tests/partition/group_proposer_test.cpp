// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Groups that share nodes, which no other function lets in; all else is in by_lists_test.cpp.
#include <baton/partition/detail/group_proposer.hpp>
#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/node_list.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

// s lies before u, s_1 behind it, s_2 and s_3 beside them.
constexpr auto graph = "s(x,b_w) u(s) s_1(u) s_2(y,b_w) s_3(z) -> s_1 s_2 s_3";

constexpr auto parts_of(std::initializer_list<std::string_view> lists, detail::shared_nodes shared) -> result<proposed_parts> {
  const auto program = conformance::draw(graph);
  baton::vector<node_list> groups;
  for (const auto names : lists) groups.push_back(conformance::listed(program, names));
  return detail::group_proposer(program, 1, detail::choose_nodes<no_support>(program, groups)).run(groups, shared);
}
constexpr auto joined(std::initializer_list<std::string_view> lists) -> text_buffer {
  return conformance::parts_text(conformance::draw(graph), parts_of(lists, detail::shared_nodes::join_groups).value);
}

constexpr auto are(std::initializer_list<std::string_view> lists, std::string_view parts) -> bool { return view(joined(lists)) == parts; }

// s_2 goes where s_1 must be, since s_3 is with both; by itself it is with s.
constexpr auto groups_that_share_a_node_are_one() -> bool {
  return are({"s", "s_2", "s_1", "s_3"}, "{s,s_2,s_3} {s_1}") && are({"s", "s_2,s_3", "s_1,s_3"}, "{s_1,s_2,s_3} {s}") &&
         are({"s", "s", "s_1,s_1"}, "{s_1} {s}");
}
static_assert(groups_that_share_a_node_are_one());

constexpr auto owned_data_stays_with_the_first_that_names_it() -> bool {
  return are({"s,b_w", "s_1,b_w"}, "{s_1} {b_w,s}") && are({"s_1,b_w", "s,b_w"}, "{b_w,s_1} {s}");
}
static_assert(owned_data_stays_with_the_first_that_names_it());

constexpr auto a_cycle_of_joined_groups_is_refused() -> bool {
  const auto why = parts_of({"s,s_3", "s_3,s_1"}, detail::shared_nodes::join_groups).error;
  return why.is<"cycle_of_groups">() && view(why.reason) == "s -> u -> s_1 with s";
}
static_assert(a_cycle_of_joined_groups_is_refused());

constexpr auto shared_nodes_may_be_refused() -> bool {
  return parts_of({"s,s_3", "s_3,s_2"}, detail::shared_nodes::refused).error.is<"node_in_two_groups">();
}
static_assert(shared_nodes_may_be_refused());

}  // namespace

TEST_CASE("groups that share a node are one, or are refused") {
  CHECK(groups_that_share_a_node_are_one());
  CHECK(a_cycle_of_joined_groups_is_refused());
  CHECK(shared_nodes_may_be_refused());
}

TEST_CASE("owned data of several groups stays with the first that names it") { CHECK(owned_data_stays_with_the_first_that_names_it()); }
