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
struct more_sums : sums {};

constexpr auto overlapping(const program_view&) -> baton::vector<node_list> { return {{{node_id{1}}}, {{node_id{1}}}}; }
constexpr auto nothing(const program_view&) -> baton::vector<node_list> { return {}; }
constexpr auto no_node() -> exported_program {
  program_builder b;
  b.output(b.user_input("x", two_by_two));
  return b.finish();
}
constexpr auto dead_node() -> exported_program { return draw("add_op(x,y) sub_op(x,y) -> sub_op"); }

struct keeps_differences : by_support<npu, operator_names<"aten.mm.default">> {
  static constexpr auto prevents_decomposition(const program_view&, const node& record) -> bool { return record.is("aten.sub.Tensor"); }
};

template <class Partitioner>
constexpr auto fails_with(std::string_view rule, std::string_view reason) -> bool {
  const auto result = tag_program(g_mmadd(), Partitioner{});
  return result.error.rule == rule && view(result.error.reason) == reason;
}
// Lists that name nodes or values that do not exist.
constexpr auto ninth_node(const program_view&) -> baton::vector<node_list> { return {{{node_id{0}}, {}}, {{node_id{9}}, {}}}; }
constexpr auto no_value(const program_view&) -> baton::vector<node_list> { return {{{node_id{0}}, {none<value_id>}}}; }
struct far_sums : sums {
  static constexpr bool prevents_decomposition = false;
  static constexpr auto group_of(const program_view&, node_id id) -> node_list { return {{id, node_id{9}}, {}}; }
};
constexpr auto lists_must_name_existing_nodes_and_values() -> bool {
  constexpr auto sentence = rule<"misplaced_index">::sentence;
  partition_result tagged{g_mmadd()};
  const auto far_part = tag_parts(tagged, g_mmadd(), {{0, {node_id{9}}, {}}}, "tag", delegation_spec{"Npu"});
  return fails_with<by_lists<npu, ninth_node>>(sentence, "list 1 names node 9, but the program has 5 nodes") &&
         fails_with<by_lists<npu, no_value>>(sentence, "list 0 names value 4294967295, but the program has 8 values") &&
         fails_with<by_groups<npu, ninth_node, operator_names<"aten.add.Tensor">>>(sentence,
                                                                                   "list 1 names node 9, but the program has 5 nodes") &&
         fails_with<by_config<npu, far_sums>>(sentence, "the group of its config has node 9, but the program has 5 nodes") &&
         far_part.rule == sentence;
}
constexpr auto a_second_tag_is_rejected() -> bool {
  partition_result tagged{g_mmadd()};
  tagged.tag_node(node_id{1}, tagged.add_tag("mine"));
  const auto result = by_config<npu, sums>::partition(tags::written(tagged, g_mmadd()));
  return result.error.is<"node_tagged_twice">() && view(result.error.node_name) == "add" && view(result.error.tag) == "tag1" &&
         view(result.error.reason) == "it already has tag mine";
}
constexpr auto two_configs_of_an_operator_are_rejected() -> bool {
  const auto why = detail::check_configs<sums, more_sums>();
  return why.is<"duplicate_config">() && view(why.op) == "add.Tensor" && !detail::check_configs<sums>();
}
constexpr auto a_remaining_operator_is_reported() -> bool {
  const auto result = tag_program(g_mmadd(), keeps_differences{});
  return result.error.is<"kept_operator">() && view(result.error.node_name) == "sub" && view(result.error.op) == "aten.sub.Tensor" &&
         view(result.error.reason).find("keeps_differences") != std::string_view::npos;
}
static_assert(fails_with<by_groups<npu, overlapping, operator_names<"aten.add.Tensor">>>(rule<"node_in_two_groups">::sentence,
                                                                                         "groups 0 and 1"));
static_assert(fails_with<by_lists<npu, nothing>>(rule<"nothing_to_partition">::sentence, ""));
static_assert(fails_with<by_pattern<npu, patterns<no_node>>>(rule<"empty_pattern">::sentence, "pattern 0"));
static_assert(fails_with<by_pattern<npu, patterns<dead_node>>>(rule<"dead_pattern">::sentence, "pattern 0"));
static_assert(lists_must_name_existing_nodes_and_values());
static_assert(a_second_tag_is_rejected());
static_assert(two_configs_of_an_operator_are_rejected());
static_assert(a_remaining_operator_is_reported());

constexpr auto configs_delegate_constants() -> bool {
  const auto result = tag_program(g_add3(), by_config<npu, sums>{});
  if (!result) return false;
  const program_view program = result.value;
  return program.tags.size() == 1 && program[program.nodes[0].tag].order == 0 &&
         program[value_named(program, "p_const3")].tag == tag_id{0} && program[value_named(program, "b_const1")].tag == tag_id{0} &&
         program[value_named(program, "x")].tag == none<tag_id> && detail::without_dialect("aten.linear.default") == "linear.default" &&
         detail::without_dialect("tfl.conv_2d") == "tfl.conv_2d";
}
static_assert(configs_delegate_constants());

constexpr auto configs_do_not_delegate_states() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", two_by_two);
  const auto weight = b.buffer("weight", two_by_two);
  b.output(b.call("add", "aten.add.Tensor", {state, weight}, two_by_two));
  const auto result = tag_program(b.finish(), by_config<npu, sums>{});
  return result && result.value[state].tag == none<tag_id> && result.value[weight].tag == tag_id{0};
}
static_assert(configs_do_not_delegate_states());

constexpr auto all_nodes_are_one_part() -> bool {
  const auto result = tag_program(g_add3(), all_nodes<npu>{});
  const program_view program = result.value;
  for (const auto& record : program.nodes) {
    if (record.tag != tag_id{0}) return false;
  }
  return result && program.text(program.tags[0].name) == "Npu" && program[value_named(program, "b_const1")].tag == tag_id{0} &&
         program[value_named(program, "x")].tag == none<tag_id> && all_nodes<npu>::partition(no_node()).partition_tags.empty();
}
static_assert(all_nodes_are_one_part());

}  // namespace

TEST_CASE("two configs of one operator are rejected (E39)") { CHECK(two_configs_of_an_operator_are_rejected()); }
TEST_CASE("a second tag on a node is rejected (E40)") { CHECK(a_second_tag_is_rejected()); }
TEST_CASE("a node in two groups is rejected (E41)") {
  CHECK(fails_with<by_groups<npu, overlapping, operator_names<"aten.add.Tensor">>>(rule<"node_in_two_groups">::sentence, "groups 0 and 1"));
}
TEST_CASE("by_lists with neither lists nor a support is rejected (E42)") {
  CHECK(fails_with<by_lists<npu, nothing>>(rule<"nothing_to_partition">::sentence, ""));
}
TEST_CASE("a pattern without nodes, or with an unused node, is rejected (E43)") {
  CHECK(fails_with<by_pattern<npu, patterns<no_node>>>(rule<"empty_pattern">::sentence, "pattern 0"));
  CHECK(fails_with<by_pattern<npu, patterns<dead_node>>>(rule<"dead_pattern">::sentence, "pattern 0"));
}
TEST_CASE("an operator that must not be decomposed, but is not delegated, is rejected (E46)") { CHECK(a_remaining_operator_is_reported()); }

TEST_CASE("lists, groups and configs must name existing nodes and values") { CHECK(lists_must_name_existing_nodes_and_values()); }
TEST_CASE("configs delegate the constants of their nodes, but no states") {
  CHECK(configs_delegate_constants());
  CHECK(configs_do_not_delegate_states());
}
TEST_CASE("all_nodes delegates all nodes and all owned data as one part") { CHECK(all_nodes_are_one_part()); }
