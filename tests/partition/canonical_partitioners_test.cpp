// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/by_config.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_pattern.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/drawn_graph.hpp"
#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;
using namespace conformance;

struct npu {
  static constexpr auto id = name<"Npu">;
};

struct sums {
  static constexpr auto op = name<"add.Tensor">;
  static constexpr bool prevents_decomposition = true;
  static constexpr auto is_supported(const program_view&, const node&) -> verdict { return accept(); }
};
struct further_sums : sums {};

constexpr auto overlapping(const program_view&) -> baton::vector<node_list> { return {{{node_id{1}}}, {{node_id{1}}}}; }
constexpr auto nothing(const program_view&) -> baton::vector<node_list> { return {}; }
constexpr auto no_node() -> exported_program {
  program_builder b;
  b.output(b.user_input("x", two_by_two));
  return b.finish();
}
constexpr auto dead_node() -> exported_program { return draw("add(x,y) sub(x,y) -> sub"); }

struct keeps_differences : by_support<npu, operator_names<"aten.mm.default">> {
  static constexpr auto prevents_decomposition(const program_view&, const node& of) -> bool { return of.is("aten.sub.Tensor"); }
};

template <class Partitioner>
constexpr auto fails_with(std::string_view rule, std::string_view reason) -> bool {
  const auto made = tag_program(g_mmadd(), Partitioner{});
  return made.error.rule == rule && view(made.error.reason) == reason;
}
// Lists that name what is not there.
constexpr auto ninth_node(const program_view&) -> baton::vector<node_list> { return {{{node_id{0}}, {}}, {{node_id{9}}, {}}}; }
constexpr auto no_value(const program_view&) -> baton::vector<node_list> { return {{{node_id{0}}, {none<value_id>}}}; }
struct far_sums : sums {
  static constexpr bool prevents_decomposition = false;
  static constexpr auto group_of(const program_view&, node_id id) -> node_list { return {{id, node_id{9}}, {}}; }
};
constexpr auto lists_name_what_is_there() -> bool {
  constexpr auto sentence = rule<"misplaced_index">::sentence;
  partition_result tagged{g_mmadd()};
  const auto far_part = tag_parts(tagged, g_mmadd(), {{0, {node_id{9}}, {}}}, "tag", delegation_spec{"Npu"});
  return fails_with<by_lists<npu, ninth_node>>(sentence, "list 1 names node 9, of 5") &&
         fails_with<by_lists<npu, no_value>>(sentence, "list 0 names value 4294967295, of 8") &&
         fails_with<by_groups<npu, ninth_node, operator_names<"aten.add.Tensor">>>(sentence, "list 1 names node 9, of 5") &&
         fails_with<by_config<npu, far_sums>>(sentence, "its config takes along node 9, of 5") && far_part.rule == sentence;
}
constexpr auto a_second_tag_is_refused() -> bool {
  partition_result tagged{g_mmadd()};
  tagged.tag_node(node_id{1}, tagged.add_tag("mine"));
  const auto made = by_config<npu, sums>::partition(tags::written(tagged, g_mmadd()));
  return made.error.is<"node_tagged_twice">() && view(made.error.node_name) == "add" && view(made.error.tag) == "tag1" &&
         view(made.error.reason) == "tag mine is there already";
}
constexpr auto two_configs_of_an_operator_are_refused() -> bool {
  const auto why = detail::check_configs<sums, further_sums>();
  return why.is<"duplicate_config">() && view(why.op) == "add.Tensor" && !detail::check_configs<sums>();
}
constexpr auto a_left_over_operator_is_told() -> bool {
  const auto made = tag_program(g_mmadd(), keeps_differences{});
  return made.error.is<"kept_operator">() && view(made.error.node_name) == "sub" && view(made.error.op) == "aten.sub.Tensor" &&
         view(made.error.reason).find("keeps_differences") != std::string_view::npos;
}
static_assert(fails_with<by_groups<npu, overlapping, operator_names<"aten.add.Tensor">>>(rule<"node_in_two_groups">::sentence,
                                                                                         "groups 0 and 1"));
static_assert(fails_with<by_lists<npu, nothing>>(rule<"nothing_to_partition">::sentence, ""));
static_assert(fails_with<by_pattern<npu, patterns<no_node>>>(rule<"empty_pattern">::sentence, "pattern 0"));
static_assert(fails_with<by_pattern<npu, patterns<dead_node>>>(rule<"dead_pattern">::sentence, "pattern 0"));
static_assert(lists_name_what_is_there());
static_assert(a_second_tag_is_refused());
static_assert(two_configs_of_an_operator_are_refused());
static_assert(a_left_over_operator_is_told());

constexpr auto configs_take_constants_along() -> bool {
  const auto made = tag_program(g_add3(), by_config<npu, sums>{});
  if (!made) return false;
  const program_view program = made.value;
  return program.tags.size() == 1 && program[program.nodes[0].tag].order == 0 &&
         program[value_named(program, "p_const3")].tag == tag_id{0} && program[value_named(program, "b_const1")].tag == tag_id{0} &&
         program[value_named(program, "x")].tag == none<tag_id> && detail::without_dialect("aten.linear.default") == "linear.default" &&
         detail::without_dialect("tfl.conv_2d") == "tfl.conv_2d";
}
static_assert(configs_take_constants_along());

constexpr auto configs_leave_what_changes_to_its_owner() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", two_by_two);
  const auto weight = b.buffer("weight", two_by_two);
  b.output(b.call("add", "aten.add.Tensor", {state, weight}, two_by_two));
  const auto made = tag_program(b.finish(), by_config<npu, sums>{});
  return made && made.value[state].tag == none<tag_id> && made.value[weight].tag == tag_id{0};
}
static_assert(configs_leave_what_changes_to_its_owner());

constexpr auto all_nodes_are_one_part() -> bool {
  const auto made = tag_program(g_add3(), all_nodes<npu>{});
  const program_view program = made.value;
  for (const auto& record : program.nodes) {
    if (record.tag != tag_id{0}) return false;
  }
  return made && program.text(program.tags[0].name) == "Npu" && program[value_named(program, "b_const1")].tag == tag_id{0} &&
         program[value_named(program, "x")].tag == none<tag_id> && all_nodes<npu>::partition(no_node()).partition_tags.empty();
}
static_assert(all_nodes_are_one_part());

}  // namespace

TEST_CASE("two configs of one operator are refused (E39)") { CHECK(two_configs_of_an_operator_are_refused()); }
TEST_CASE("a second tag on a node is refused (E40)") { CHECK(a_second_tag_is_refused()); }
TEST_CASE("a node in two groups is refused (E41)") {
  CHECK(fails_with<by_groups<npu, overlapping, operator_names<"aten.add.Tensor">>>(rule<"node_in_two_groups">::sentence, "groups 0 and 1"));
}
TEST_CASE("a partitioner by lists that has neither lists nor a support is refused (E42)") {
  CHECK(fails_with<by_lists<npu, nothing>>(rule<"nothing_to_partition">::sentence, ""));
}
TEST_CASE("a pattern without nodes, and one with a node that nothing uses, is refused (E43)") {
  CHECK(fails_with<by_pattern<npu, patterns<no_node>>>(rule<"empty_pattern">::sentence, "pattern 0"));
  CHECK(fails_with<by_pattern<npu, patterns<dead_node>>>(rule<"dead_pattern">::sentence, "pattern 0"));
}
TEST_CASE("an operator that was to be kept whole, and is left over, is refused (E46)") { CHECK(a_left_over_operator_is_told()); }

TEST_CASE("lists, groups and configs name what is there") { CHECK(lists_name_what_is_there()); }
TEST_CASE("configs take the constants of their nodes along, and no state") {
  CHECK(configs_take_constants_along());
  CHECK(configs_leave_what_changes_to_its_owner());
}
TEST_CASE("all nodes are one part, and so is all owned data") { CHECK(all_nodes_are_one_part()); }
