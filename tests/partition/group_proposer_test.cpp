// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Groups that share nodes, which no other function accepts. Everything else is tested in by_lists_test.cpp.
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

// u uses s, and s_1 uses u. s_2 and s_3 are independent of them.
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

constexpr auto joins_to(std::initializer_list<std::string_view> lists, std::string_view parts) -> bool {
  return view(joined(lists)) == parts;
}

// If s_3 is in groups with s_2 and with s_1, s_2 is in the part of s_1. Otherwise, s_2 is in the part of s.
constexpr auto groups_that_share_a_node_are_joined() -> bool {
  return joins_to({"s", "s_2", "s_1", "s_3"}, "{s,s_2,s_3} {s_1}") && joins_to({"s", "s_2,s_3", "s_1,s_3"}, "{s_1,s_2,s_3} {s}") &&
         joins_to({"s", "s", "s_1,s_1"}, "{s_1} {s}");
}
static_assert(groups_that_share_a_node_are_joined());

constexpr auto owned_data_belongs_to_the_first_group() -> bool {
  return joins_to({"s,b_w", "s_1,b_w"}, "{s_1} {b_w,s}") && joins_to({"s_1,b_w", "s,b_w"}, "{b_w,s_1} {s}");
}
static_assert(owned_data_belongs_to_the_first_group());

constexpr auto a_cycle_of_joined_groups_is_rejected() -> bool {
  const auto why = parts_of({"s,s_3", "s_3,s_1"}, detail::shared_nodes::join_groups).error;
  return why.is<"cycle_of_groups">() && view(why.reason) == "s -> u -> s_1 with s";
}
static_assert(a_cycle_of_joined_groups_is_rejected());

constexpr auto shared_nodes_may_be_rejected() -> bool {
  return parts_of({"s,s_3", "s_3,s_2"}, detail::shared_nodes::refused).error.is<"node_in_two_groups">();
}
static_assert(shared_nodes_may_be_rejected());

constexpr auto a_node_may_be_listed_twice_in_one_group() -> bool {
  const auto parts = parts_of({"s,s_3,s", "s_2"}, detail::shared_nodes::refused);
  return parts && view(conformance::parts_text(conformance::draw(graph), parts.value)) == view(joined({"s,s_3", "s_2"}));
}
static_assert(a_node_may_be_listed_twice_in_one_group());

}  // namespace

TEST_CASE("groups that share a node are joined or rejected") {
  CHECK(groups_that_share_a_node_are_joined());
  CHECK(a_cycle_of_joined_groups_is_rejected());
  CHECK(shared_nodes_may_be_rejected());
  CHECK(a_node_may_be_listed_twice_in_one_group());
}

TEST_CASE("owned data of several groups belongs to the first group that names it") { CHECK(owned_data_belongs_to_the_first_group()); }
