// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks groups by brute force: on small graphs, every grouping of the supported nodes is tried.
#include <baton/partition/by_lists.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/proposed_parts.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/drawn_graph.hpp"
#include "properties/random.hpp"
#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using properties::grouping;
using properties::has;
using properties::small_graph;
using properties::small_set;

/// A graph, its supported nodes, and the group of each node. Nodes with the same number are in one group.
struct grouped_graph {
  small_graph graph;
  small_set supported = 0;
  grouping group_of{};
};

constexpr auto program_of(const grouped_graph& grouped) -> exported_program {
  auto program = properties::program_of(grouped.graph);
  for (std::size_t n = 0; n < grouped.graph.size; ++n) {
    if (has(grouped.supported, n)) program.nodes[n].op = hash_of("s");
  }
  return program;
}

constexpr auto parts_of(const grouped_graph& grouped) -> result<proposed_parts> {
  baton::vector<node_list> groups(grouped.graph.size, node_list{{}, {}});
  for (std::size_t n = 0; n < grouped.graph.size; ++n) groups[grouped.group_of[n]].nodes.push_back(static_cast<node_id>(n));
  return group_parts<operator_names<"s">>(program_of(grouped), groups);
}

constexpr auto keeps_groups_whole(const grouped_graph& grouped, const grouping& unit_of) -> bool {
  for (std::size_t a = 0; a < grouped.graph.size; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (has(grouped.supported, a) && has(grouped.supported, b) && grouped.group_of[a] == grouped.group_of[b] && unit_of[a] != unit_of[b])
        return false;
    }
  }
  return true;
}

/// Whether there are parts that keep the groups whole and form no cycle.
constexpr auto can_be_kept(const grouped_graph& grouped) -> bool {
  bool exists = false;
  properties::for_each_grouping(grouped.graph.size, grouped.supported, [&](const grouping& unit_of, std::size_t) {
    exists = exists || (keeps_groups_whole(grouped, unit_of) && properties::units_on_cycles(grouped.graph, unit_of) == 0);
  });
  return exists;
}

/// Whether `path` is a cycle, for example `n0 -> n2 with n1 -> n3 with n0`. Arrows are uses, and `with` joins members of a group. The path
/// must end at its first node, and must contain a node that is not supported.
constexpr auto is_cycle(const grouped_graph& grouped, std::string_view path) -> bool {
  const auto node = [&] {
    const auto number = static_cast<std::size_t>(path[1] - '0');
    path.remove_prefix(2);
    return number;
  };
  const auto is_next = [&](std::string_view word) {
    if (!path.starts_with(word)) return false;
    path.remove_prefix(word.size());
    return true;
  };
  const auto start = node();
  auto at = start;
  bool leaves = false;
  while (!path.empty()) {
    if (is_next(" with ")) {
      const auto member = node();
      if (grouped.group_of[at] != grouped.group_of[member] || !has(grouped.supported, at) || !has(grouped.supported, member)) return false;
      at = member;
    } else {
      if (!is_next(" -> ")) return false;
      const auto user = node();
      if (!has(grouped.graph.uses[user], at)) return false;
      at = user;
      leaves = leaves || !has(grouped.supported, at);
    }
  }
  return at == start && leaves;
}

/// Returns an error in the computed parts or in the failure, or an empty text.
constexpr auto error_of(const grouped_graph& grouped) -> std::string_view {
  const auto proposed = parts_of(grouped);
  if (!proposed) {
    if (!proposed.error.is<"cycle_of_groups">()) return "another rule is said to be broken";
    if (can_be_kept(grouped)) return "groups are refused that can be kept";
    return is_cycle(grouped, view(proposed.error.reason)) ? "" : "the path is none";
  }
  grouping unit_of{};
  small_set seen = 0;
  for (std::size_t n = 0; n < grouped.graph.size; ++n) unit_of[n] = static_cast<std::uint8_t>(n);
  for (const auto& part : proposed.value) {
    for (const auto id : part.nodes) {
      unit_of[index(id)] = static_cast<std::uint8_t>(index(part.nodes[0]));
      if (has(seen, index(id))) return "a node is in two parts";
      seen |= small_set{1} << index(id);
    }
  }
  if (seen != grouped.supported) return "the delegated nodes are not the supported nodes";
  if (!keeps_groups_whole(grouped, unit_of)) return "a group is split";
  return properties::units_on_cycles(grouped.graph, unit_of) == 0 ? "" : "parts are in a cycle";
}

constexpr auto random_case(std::uint64_t seed, std::size_t nodes) -> grouped_graph {
  properties::random_numbers random(seed);
  const auto some = [&] { return static_cast<std::uint64_t>(random.below(std::size_t{1} << 30)); };
  grouped_graph grouped{properties::graph_of(nodes, some() & some()), static_cast<small_set>(random.below(std::size_t{1} << nodes)), {}};
  for (std::size_t n = 0; n < nodes; ++n) grouped.group_of[n] = static_cast<std::uint8_t>(random.below(nodes));
  return grouped;
}

constexpr auto a_few_cases_are_correct() -> bool {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    if (!error_of(random_case(seed, 4)).empty()) return false;
  }
  return true;
}
static_assert(a_few_cases_are_correct());

template <operator_support Support>
constexpr auto parts_text(std::string_view graph, std::initializer_list<std::string_view> lists) -> text_buffer {
  const auto program = conformance::draw(graph);
  baton::vector<node_list> groups;
  for (const auto names : lists) groups.push_back(conformance::listed(program, names));
  return conformance::parts_text(program, group_parts<Support>(program, groups).value);
}

// The original's rule merges s_3 with s_1, because no path leaves these two and returns. However, a path leads from the group to s_1 and
// back.
constexpr auto mutually_dependent_parts_are_merged() -> bool {
  return view(parts_text<operator_names<"s">>("s(x) s_1(s) s_2(s_1) s_3(y) -> s_2 s_3", {"s,s_2"})) == "{s,s_1,s_2,s_3}";
}
static_assert(mutually_dependent_parts_are_merged());

constexpr auto small_parts_are_omitted() -> bool {
  const auto program = conformance::draw("s(x) t(s) s_1(t) s_2(s_1) -> s_2");
  const baton::vector<node_list> groups{conformance::listed(program, "s_1,s_2")};
  const auto parts = [&](std::uint32_t min_nodes) {
    return conformance::parts_text(program, group_parts<operator_names<"s">>(program, groups, min_nodes).value);
  };
  return view(parts(1)) == "{s_1,s_2} {s}" && view(parts(2)) == "{s_1,s_2}" && view(parts(3)).empty();
}
static_assert(small_parts_are_omitted());

constexpr auto data_with_other_users_forms_no_cycle() -> bool {
  const auto program = conformance::draw("u(b_w) s(u,b_w) -> s");
  const baton::vector<node_list> groups{conformance::listed(program, "s,b_w")};
  const auto proposed = detail::group_proposer(program, 1, detail::choose_nodes<no_support>(program, groups)).run(groups);
  return proposed && view(conformance::parts_text(program, proposed.value)) == "{b_w,s}";
}
static_assert(data_with_other_users_forms_no_cycle());

}  // namespace

TEST_CASE("group_parts omits parts with fewer than the minimum number of nodes") { CHECK(small_parts_are_omitted()); }

TEST_CASE("parts that would depend on each other are merged") { CHECK(mutually_dependent_parts_are_merged()); }

TEST_CASE("data of a group that other nodes use forms no cycle") { CHECK(data_with_other_users_forms_no_cycle()); }

TEST_CASE("groups of all graphs of 4 nodes are kept, or rejected if no parts can keep them") {
  CHECK(a_few_cases_are_correct());
  for (std::uint64_t number = 0; number < properties::count_of_graphs(4); ++number) {
    for (small_set supported = 0; supported < 16; ++supported) {
      properties::for_each_grouping(4, 15, [&](const grouping& group_of, std::size_t) {
        const auto error = error_of({properties::graph_of(4, number), supported, group_of});
        INFO("graph " << number << ", supported nodes " << supported);
        CHECK(std::string(error) == "");
      });
    }
  }
}

TEST_CASE("groups of random graphs are kept, or rejected if no parts can keep them") {
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    INFO("seed " << seed);
    REQUIRE(std::string(error_of(random_case(seed, 5 + seed % 4))) == "");
  }
}

TEST_CASE("group_parts handles 100,000 nodes in pairs") {
  constexpr std::uint32_t nodes = 100000;
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder b;
  auto last = b.user_input("x", type);
  baton::vector<node_list> pairs;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    last = b.call(view(join("n", n)), n % 4 == 3 ? "aten.softmax.int" : "aten.relu.default", {last}, type);
    if (n % 4 == 1) pairs.push_back({{node_id{n - 1}, node_id{n}}});
  }
  b.output(last);
  const auto proposed = group_parts<operator_names<"aten.relu.default">>(b.finish(), pairs);
  CHECK(proposed.value.size() == nodes / 4);
}
