// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The golden vectors of the no-cycle merge rule, section 2.Q, for both partitioners, and the addition of Q19.
#include <baton/compat/executorch/group_partitioner.hpp>
#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using namespace conformance;

using s = named<"s1", "s2", "s3", "s4">;

constexpr auto v1 = "s1(x) u1(s1) s2(s1,u1) -> s2";
constexpr auto v2 = "s1(x) u1(s1) s2(u1) s3(y) u2(s3) s4(u2) -> s2 s4";
constexpr auto v3 = "s1(x) s3(y) u1(s1) u2(s3) s2(u1) s4(u2) -> s2 s4";
constexpr auto v6 = "s1(x) u1(s1) s2(u1) u2(s2) s3(u2) -> s3";
constexpr auto v8 = "s1(x) s2(y) -> s1 s2";

constexpr auto capability(std::string_view graph, std::string_view expected) -> bool {
  const auto program = draw(graph);
  const auto parts = parts_from_support<s>(program);
  return view(parts_text(program, parts, true)) == expected;
}

// The parts equal those of the capability partitioner. A union has the id of its first part (R190), not of the larger one (R199).
constexpr auto group(std::string_view graph, std::string_view expected) -> bool {
  const auto program = draw(graph);
  const auto parts = merged_group_parts<s>(program, {});
  return parts && view(parts_text(program, parts.value, true)) == expected;
}

constexpr auto vector_1() -> bool { return capability(v1, "{0:s2} {1:s1}") && group(v1, "{0:s2} {1:s1}"); }
constexpr auto vector_2() -> bool { return capability(v2, "{2:s2,s4} {3:s1,s3}") && group(v2, "{0:s2,s4} {1:s1,s3}"); }
constexpr auto vector_3() -> bool { return capability(v3, "{1:s2,s4} {3:s1,s3}") && group(v3, "{0:s2,s4} {2:s1,s3}"); }
constexpr auto vector_6() -> bool { return capability(v6, "{0:s3} {1:s2} {2:s1}") && group(v6, "{0:s3} {1:s2} {2:s1}"); }
constexpr auto vector_8() -> bool { return capability(v8, "{1:s1,s2}") && group(v8, "{0:s1,s2}"); }
static_assert(vector_1() && vector_2() && vector_3() && vector_6() && vector_8());

constexpr auto failure_of(std::string_view graph, std::initializer_list<std::string_view> names) -> failure {
  const auto program = draw(graph);
  baton::vector<node_list> groups;
  for (const auto list : names) groups.push_back(listed(program, list));
  return merged_group_parts<s>(program, groups).error;
}

constexpr auto mutually_dependent_groups_are_refused() -> bool {
  const auto why = failure_of(v2, {"s1,s4", "s2,s3"});
  return why.is<"cycle_of_groups">() && view(why.reason) == "s1 -> u1 -> s2 with s3 -> u2 -> s4 with s1";
}
static_assert(mutually_dependent_groups_are_refused());

constexpr auto a_group_that_needs_itself_is_refused() -> bool {
  const auto why = failure_of(v1, {"s1,s2"});
  return why.is<"cycle_of_groups">() && view(why.reason) == "s1 -> u1 -> s2 with s1";
}
static_assert(a_group_that_needs_itself_is_refused());

}  // namespace

TEST_CASE("a part is not left and entered again through an unsupported node (V1)") { CHECK(vector_1()); }
TEST_CASE("two chains with an unsupported node in each form two parts: the nodes before and the nodes after (V2)") { CHECK(vector_2()); }
TEST_CASE("two parallel chains in another order of nodes form the same two parts (V3)") { CHECK(vector_3()); }
TEST_CASE("three supported nodes with unsupported nodes between them form three parts (V6)") { CHECK(vector_6()); }
TEST_CASE("nodes that do not depend on one another share a part (V8)") { CHECK(vector_8()); }

// The original proposes such groups unchanged, and fails later, when it extracts the second one (E14).
TEST_CASE("groups that depend on one another, and a group that depends on itself, are refused with the path (Q19)") {
  CHECK(mutually_dependent_groups_are_refused());
  CHECK(a_group_that_needs_itself_is_refused());
}
