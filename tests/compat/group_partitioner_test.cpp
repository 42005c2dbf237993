// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Cases that the rows of the specification do not cover (tests/conformance/group_partitioner_test.cpp, merge_rule_test.cpp).
#include <baton/compat/executorch/group_partitioner.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;
using conformance::draw;
using conformance::listed;
using conformance::parts_text;

// The original's rule merges s_3 with s_1, because no path leaves these two. But a path from the group through s_1 returns to the group.
constexpr auto parts_that_would_need_each_other_are_merged() -> bool {
  const auto program = draw("s(x) s_1(s) s_2(s_1) s_3(y) -> s_2 s_3");
  const baton::vector<node_list> groups{listed(program, "s,s_2")};
  const auto parts = merged_group_parts<operator_names<"s">>(program, groups);
  return parts && view(parts_text(program, parts.value)) == "{s,s_1,s_2,s_3}";
}
static_assert(parts_that_would_need_each_other_are_merged());

constexpr auto the_errors_are_those_of_group_parts() -> bool {
  const auto program = draw("s(x) s_1(s) -> s_1");
  const baton::vector<node_list> twice{{{node_id{0}}, {}}, {{node_id{0}}, {}}};
  const baton::vector<node_list> far{{{node_id{9}}, {}}};
  return merged_group_parts<operator_names<"s">>(program, twice).error.is<"node_in_two_groups">() &&
         merged_group_parts<operator_names<"s">>(program, far).error.is<"misplaced_index">();
}
static_assert(the_errors_are_those_of_group_parts());

}  // namespace

TEST_CASE("the merge rule: parts that would depend on each other are those of group_parts") {
  CHECK(parts_that_would_need_each_other_are_merged());
}
TEST_CASE("the merge rule: its errors are those of group_parts") { CHECK(the_errors_are_those_of_group_parts()); }
