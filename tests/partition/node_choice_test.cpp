// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/detail/node_choice.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/operator_support.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;

using conv = operator_names<"conv">;
using views = operator_names<"view">;

constexpr auto a_support_and_lists_choose() -> bool {
  const auto program = conformance::draw("conv(x) relu(conv) pool(relu) -> pool");
  const auto supported = baton::detail::choose_nodes<conv>(program);
  const node_list list{{node_id{2}}, {program_view(program).inputs(program.graphs[0])[0]}};
  const auto listed = baton::detail::choose_nodes<conv>(program, {&list, 1});
  return supported.is_chosen(node_id{0}) && !supported.is_chosen(node_id{1}) && !supported.is_chosen(node_id{2}) &&
         supported.is_placeholder_chosen.empty() && supported.weight(0) == 1 && !supported.follows(node_id{0}) &&
         listed.is_chosen(node_id{0}) && !listed.is_chosen(node_id{1}) && listed.is_chosen(node_id{2}) &&
         listed.is_placeholder_chosen[index(list.placeholders[0])] == 1;
}
static_assert(a_support_and_lists_choose());

constexpr auto followers_of_followers_are_chosen() -> bool {
  const auto program = conformance::draw("conv(x) view(conv) view_1(view) view_2(y) -> view_1 view_2");
  const auto chosen = baton::detail::choose_nodes<with_followers<conv, views>>(program);
  return chosen.is_chosen(node_id{2}) && chosen.leader_of[2] == node_id{0} && chosen.follows(node_id{2}) && chosen.weight(2) == 0 &&
         chosen.weight(0) == 1 && !chosen.is_chosen(node_id{3}) && !chosen.follows(node_id{3});
}
static_assert(followers_of_followers_are_chosen());

constexpr auto supports_determine_the_weights() -> bool {
  const auto program = conformance::draw("conv(x) view(conv) relu(view) -> relu");
  const auto chosen = baton::detail::choose_nodes<any_of<conv, views>, views, conv>(program);
  return chosen.weight(0) == 2 && chosen.weight(1) == 0 && chosen.weight(2) == 0;
}
static_assert(supports_determine_the_weights());

}  // namespace

TEST_CASE("choose_nodes chooses the nodes that a support accepts or that a list names") { CHECK(a_support_and_lists_choose()); }
TEST_CASE("choose_nodes chooses a follower if its leader is chosen") { CHECK(followers_of_followers_are_chosen()); }
TEST_CASE("choose_nodes weighs nodes by the given supports") { CHECK(supports_determine_the_weights()); }
