// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/operator_facts.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/operators/shared/shared_states.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_pattern.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/proposed_parts.hpp>

#include "conformance/drawn_graph.hpp"
#include "laws/partitioner.hpp"
#include "properties/random.hpp"
#include "properties/random_program.hpp"
#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using namespace conformance;

struct npu {
  static constexpr auto id = name<"Npu">;
};

using follow = operator_names<"view">;
using conv_and_views = with_followers<operator_names<"conv">, follow>;

template <operator_support Support, partition_options Options = partition_options{}>
constexpr auto level(std::string_view graph, std::string_view expected) -> bool {
  const auto program = draw(graph);
  const auto parts = parts_from_support<Support>(program, Options);
  return view(parts_text(program, parts)) == expected;
}
template <operator_support Support>
constexpr auto group(std::string_view graph, std::initializer_list<std::string_view> groups, std::string_view expected) -> bool {
  const auto program = draw(graph);
  baton::vector<node_list> lists;
  for (const auto names : groups) lists.push_back(listed(program, names));
  const auto parts = group_parts<Support>(program, lists);
  return parts && view(parts_text(program, parts.value)) == expected;
}

constexpr auto view_between = "conv(x) view(conv) conv_1(view) -> conv_1";
constexpr auto views_then_relu = "conv(x) view(conv) view_1(view) relu_op(view_1) conv_1(relu_op) -> conv_1";

constexpr auto a_view_does_not_split_a_part() -> bool {
  return level<operator_names<"conv">>(view_between, "{conv_1} {conv}") && level<conv_and_views>(view_between, "{conv,conv_1,view}") &&
         level<conv_and_views>(views_then_relu, "{conv_1} {conv,view,view_1}") &&
         level<with_followers<operator_names<"conv", "view">, follow>>(views_then_relu, "{conv_1} {conv,view,view_1}");
}
static_assert(a_view_does_not_split_a_part());

constexpr auto a_view_without_a_delegated_producer_is_not_delegated() -> bool {
  constexpr auto graph = "view(x) relu_op(view) view_1(relu_op) conv(view_1) -> conv";
  return level<conv_and_views>(graph, "{conv}") && level<with_followers<operator_names<"conv", "view">, follow>>(graph, "{conv}") &&
         level<conv_and_views>("relu_op(x) view(relu_op) -> view", "") && group<conv_and_views>(graph, {}, "{conv}");
}
static_assert(a_view_without_a_delegated_producer_is_not_delegated());

// The second operand of the view depends on its producer through an unsupported node. Owned data as the second operand is not an obstacle.
constexpr auto a_view_of_two_values_is_an_ordinary_node() -> bool {
  constexpr auto graph = "conv(x) relu_op(conv) view(conv,relu_op) conv_1(view) -> conv_1";
  return level<conv_and_views>(graph, "{conv_1} {conv}") &&
         level<with_followers<operator_names<"conv", "view">, follow>>(graph, "{conv_1,view} {conv}") &&
         level<conv_and_views>("conv(x) view(conv,b_shape) conv_1(view) -> conv_1", "{conv,conv_1,view}") &&
         level<with_followers<operator_names<"conv", "view">, follow>>("view(b_w) conv(x,view) -> conv", "{conv,view}");
}
static_assert(a_view_of_two_values_is_an_ordinary_node());

constexpr auto views_count_toward_the_maximum_only() -> bool {
  constexpr auto chain = "conv(x) view(conv) conv_1(view) conv_2(conv_1) -> conv_2";
  return level<conv_and_views, partition_options{.max_nodes = 2}>(chain, "{conv_1,conv_2} {conv,view}") &&
         level<conv_and_views, partition_options{.max_nodes = 1}>(chain, "{conv_2} {conv_1} {conv,view}") &&
         level<conv_and_views, partition_options{.min_nodes = 2}>("conv(x) view(conv) -> view", "");
}
static_assert(views_count_toward_the_maximum_only());

constexpr auto groups_include_followers() -> bool {
  return group<conv_and_views>(view_between, {}, "{conv,conv_1,view}") &&
         group<conv_and_views>("conv(x) view(conv) relu_op(x) conv_1(relu_op) add_op(view,conv_1) -> add_op", {"conv,conv_1"},
                               "{conv,conv_1,view}") &&
         group<conv_and_views>(views_then_relu, {"conv_1"}, "{conv_1} {conv,view,view_1}");
}
static_assert(groups_include_followers());

// A group cannot move a follower out of its leader's part, even if the leader is in another group.
constexpr auto a_listed_follower_joins_its_leader() -> bool {
  return group<conv_and_views>(views_then_relu, {"conv", "conv_1,view_1"}, "{conv_1} {conv,view,view_1}") &&
         group<conv_and_views>(views_then_relu, {"conv_1,view_1"}, "{conv_1} {conv,view,view_1}") &&
         group<conv_and_views>(views_then_relu, {"view,view_1"}, "{conv_1} {conv,view,view_1}");
}
static_assert(a_listed_follower_joins_its_leader());

constexpr auto lists_and_patterns_include_followers() -> bool {
  const auto program = draw(view_between);
  const baton::vector<node_list> lists{listed(program, "conv"), listed(program, "conv_1")};
  const auto list_parts = parts_from_lists<with_followers<no_support, follow>>(program, lists);
  const baton::vector<node_list> alone{listed(program, "view")};
  const auto named = parts_from_lists<with_followers<no_support, follow>>(program, alone);
  baton::vector<exported_program> pattern_programs;
  pattern_programs.push_back(draw("conv(x) -> conv"));
  const auto pattern_parts = parts_from_patterns<with_followers<no_support, follow>>(program, pattern_programs);
  return view(parts_text(program, list_parts.value)) == "{conv,conv_1,view}" && view(parts_text(program, named.value)) == "{view}" &&
         view(parts_text(program, pattern_parts.value)) == "{conv,conv_1,view}";
}
static_assert(lists_and_patterns_include_followers());

constexpr auto the_table_contains_structural_operators() -> bool {
  const auto is_structural = [](std::string_view op) {
    program_builder b;
    b.output(b.call(op, {b.user_input("x", tensor(dtype::float32, 2))}, tensor(dtype::float32, 2)));
    const auto program = b.finish();
    return structural::supports(program, program.nodes[0]).accepted;
  };
  return is_structural("tfl.reshape") && is_structural("tfl.squeeze") && is_structural("tfl.expand_dims") &&
         is_structural("aten.view_copy.default") && is_structural("aten.unsqueeze_copy.default") &&
         is_structural("aten.flatten.using_ints") && !is_structural("tfl.transpose") && !is_structural("aten.permute_copy.default") &&
         !is_structural("aten.expand_copy.default") && !is_structural("tfl.conv_2d");
}
static_assert(the_table_contains_structural_operators());

// As at the end of an image classifier. The shape is a constant, which the program passes to the part.
constexpr auto a_reshape_of_a_model_joins_a_part() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 1, 2, 2, 1));
  const auto conv = b.call("tfl.conv_2d", {x}, tensor(dtype::int8, 1, 2, 2, 1));
  const auto flat = b.call("tfl.reshape", {conv, b.constant("shape", tensor(dtype::int32, 2))}, tensor(dtype::int8, 1, 4));
  b.output(b.call("tfl.softmax", {flat}, tensor(dtype::int8, 1, 4)));
  using support = operator_names<"tfl.conv_2d", "tfl.softmax">;
  const auto program = b.finish();
  const auto separate = tag_program(program, by_support<npu, support>{});
  const auto whole = tag_program(program, by_support<npu, with_followers<support>>{});
  return separate.value.tags.size() == 2 && whole.value.tags.size() == 1 && whole.value.nodes[1].tag == tag_id{0} &&
         !check_parts(split_shared_constants(whole.value));
}
static_assert(a_reshape_of_a_model_joins_a_part());

constexpr auto a_view_has_a_reason() -> bool {
  const auto program = draw("view(x) -> view");
  const auto why = conv_and_views::supports(program, program.nodes[0]);
  return !why && view(why.reason) == "it is delegated only with the producer of its input";
}
static_assert(a_view_has_a_reason());

// Small graphs, compared with all groupings

using properties::grouping;
using properties::has;
using properties::small_graph;
using properties::small_set;

struct small_case {
  small_graph graph;
  small_set supported = 0;  ///< the supported nodes
  small_set followers = 0;  ///< the nodes with operator `v`

  constexpr auto program() const -> exported_program {
    auto result = properties::program_of(graph);
    for (std::size_t n = 0; n < graph.size; ++n) {
      if (has(supported, n)) result.nodes[n].op = hash_of("s");
      if (has(followers, n)) result.nodes[n].op = hash_of("v");
    }
    return result;
  }
  /// Returns the leader of a follower, or the node itself if it is not a follower.
  constexpr auto leader_of(std::size_t n) const -> std::size_t {
    std::size_t only = n;
    std::size_t uses = 0;
    for (std::size_t used = 0; used < n; ++used) {
      if (!has(graph.uses[n], used)) continue;
      only = used;
      uses += 1;
    }
    return has(followers, n) && uses == 1 ? leader_of(only) : n;
  }
  constexpr auto expected() const -> small_set {
    small_set nodes = 0;
    for (std::size_t n = 0; n < graph.size; ++n) {
      if (has(supported, leader_of(n)) && !has(followers, leader_of(n))) nodes |= small_set{1} << n;
    }
    return nodes;
  }
};

auto random_case(std::uint64_t seed) -> small_case {
  properties::random_numbers random(seed);
  const auto nodes = 3 + random.below(5);
  const auto some = [&] { return static_cast<std::uint64_t>(random.below(std::size_t{1} << 30)); };
  const auto some_nodes = [&] { return static_cast<small_set>(random.below(std::size_t{1} << nodes)); };
  return {properties::graph_of(nodes, some() & some() & some()), some_nodes() | some_nodes(), some_nodes()};
}

using following = with_followers<operator_names<"s">, operator_names<"v">>;

template <class Partitioner>
auto grouping_by(const exported_program& program, small_set& seen, std::size_t& parts) -> grouping {
  const auto tagged = tag_program(program, Partitioner{});
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (tagged.value.nodes[n].tag != none<tag_id>) seen |= small_set{1} << n;
  }
  parts = tagged.value.tags.size();
  return properties::grouping_of(tagged.value);
}

void check(const small_case& instance, small_set seen, const grouping& unit_of) {
  CHECK(seen == instance.expected());
  CHECK(properties::units_on_cycles(instance.graph, unit_of) == 0);
  for (std::size_t n = 0; n < instance.graph.size; ++n) CHECK((!has(seen, n) || unit_of[n] == unit_of[instance.leader_of(n)]));
}

constexpr auto no_groups(const program_view&) -> baton::vector<node_list> { return {}; }

// Random programs

using structural_sum =
    with_followers<operator_names<"aten.add.Tensor", "aten.mm.default">, operator_names<"aten.relu.default", "aten.clamp.default">>;

/// Whether each follower is in the part of its leader, or undelegated if it has no delegated leader.
template <class Support>
auto followers_have_the_tags_of_their_leaders(const program_view& tagged) -> bool {
  for (std::uint32_t g = 0; g < tagged.graphs.size(); ++g) {
    const auto producer = producers_of(tagged, tagged.graphs[g]);
    for (const auto& record : tagged.nodes_of(tagged.graphs[g])) {
      if (!Support::follows(tagged, record)) continue;
      const auto leader = producer[index(tagged.inputs(record)[0])];
      if (record.tag != (leader == none<node_id> ? none<tag_id> : tagged[leader].tag)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("structural nodes join the part of the producer of their input") {
  CHECK(a_view_does_not_split_a_part());
  CHECK(a_view_without_a_delegated_producer_is_not_delegated());
  CHECK(a_view_of_two_values_is_an_ordinary_node());
  CHECK(views_count_toward_the_maximum_only());
  CHECK(groups_include_followers());
  CHECK(a_listed_follower_joins_its_leader());
  CHECK(lists_and_patterns_include_followers());
  CHECK(a_reshape_of_a_model_joins_a_part());
  CHECK(a_view_has_a_reason());
}

TEST_CASE("the table contains the operators that move no data") { CHECK(the_table_contains_structural_operators()); }

TEST_CASE("on small graphs, followers are in the parts of their leaders, and the parts are the fewest without a cycle") {
  std::size_t followed = 0;
  std::size_t fewer = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const auto instance = random_case(seed);
    const auto program = instance.program();
    INFO("seed " << seed);
    small_set seen = 0;
    std::size_t parts = 0;
    const auto result = grouping_by<by_support<npu, following>>(program, seen, parts);
    check(instance, seen, result);
    auto fewest = instance.graph.size + 1;
    properties::for_each_grouping(instance.graph.size, seen, [&](const grouping& unit_of, std::size_t count) {
      for (std::size_t n = 0; n < instance.graph.size; ++n) {
        if (has(seen, n) && unit_of[n] != unit_of[instance.leader_of(n)]) return;
      }
      if (properties::units_on_cycles(instance.graph, unit_of) == 0) fewest = std::min(fewest, count);
    });
    CHECK(parts == fewest);
    small_set without = 0;
    std::size_t parts_without = 0;
    grouping_by<by_support<npu, operator_names<"s">>>(program, without, parts_without);
    small_set with_views = 0;
    std::size_t parts_with_views = 0;
    grouping_by<by_support<npu, operator_names<"s", "v">>>(program, with_views, parts_with_views);
    CHECK(parts <= parts_without);
    small_set with_both = 0;
    std::size_t parts_with_both = 0;
    grouping_by<by_support<npu, with_followers<operator_names<"s", "v">, operator_names<"v">>>>(program, with_both, parts_with_both);
    CHECK(parts_with_both <= parts_with_views);
    followed += seen != without ? 1u : 0u;
    fewer += parts < parts_without ? 1u : 0u;
  }
  CHECK(followed > 400);
  CHECK(fewer > 20);
}

TEST_CASE("on small graphs, groups and split parts form no cycle with followers") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto instance = random_case(seed);
    INFO("seed " << seed);
    small_set in_groups = 0;
    small_set split = 0;
    std::size_t parts = 0;
    const auto grouped = grouping_by<by_groups<npu, no_groups, following>>(instance.program(), in_groups, parts);
    check(instance, in_groups, grouped);
    const auto cut = grouping_by<by_support<npu, following, partition_options{.max_nodes = 2}>>(instance.program(), split, parts);
    check(instance, split, cut);
  }
}

TEST_CASE("on random programs, followers are in the parts of their leaders, and the laws of partitioners hold") {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto program = properties::make_program(seed);
    if (check_shared_states(program)) continue;
    INFO("seed " << seed);
    using partitioner = by_support<npu, structural_sum>;
    using grouping_partitioner = by_groups<npu, no_groups, structural_sum>;
    CHECK(laws::partitioner::all(program, partitioner{}));
    CHECK(laws::partitioner::all(program, grouping_partitioner{}));
    CHECK(followers_have_the_tags_of_their_leaders<structural_sum>(tag_program(program, partitioner{}).value));
    CHECK(followers_have_the_tags_of_their_leaders<structural_sum>(tag_program(program, grouping_partitioner{}).value));
  }
}
