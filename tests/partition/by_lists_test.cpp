// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Groups against brute force: on small graphs, every way to group the nodes that are taken is tried.
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

/// A graph, the nodes that are taken, and the group of each: those of the same number are in one.
struct grouped_graph {
  small_graph graph;
  small_set taken = 0;
  grouping group_of{};
};

constexpr auto program_of(const grouped_graph& given) -> exported_program {
  auto program = properties::program_of(given.graph);
  for (std::size_t n = 0; n < given.graph.size; ++n) {
    if (has(given.taken, n)) program.nodes[n].op = hash_of("s");
  }
  return program;
}

constexpr auto parts_of(const grouped_graph& given) -> result<proposed_parts> {
  baton::vector<node_list> groups(given.graph.size, node_list{{}, {}});
  for (std::size_t n = 0; n < given.graph.size; ++n) groups[given.group_of[n]].nodes.push_back(static_cast<node_id>(n));
  return group_parts<operator_names<"s">>(program_of(given), groups);
}

constexpr auto keeps_groups_whole(const grouped_graph& given, const grouping& unit_of) -> bool {
  for (std::size_t a = 0; a < given.graph.size; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (has(given.taken, a) && has(given.taken, b) && given.group_of[a] == given.group_of[b] && unit_of[a] != unit_of[b]) return false;
    }
  }
  return true;
}

/// Whether any parts at all keep the groups whole and form no cycle.
constexpr auto can_be_kept(const grouped_graph& given) -> bool {
  bool found = false;
  properties::for_each_grouping(given.graph.size, given.taken, [&](const grouping& unit_of, std::size_t) {
    found = found || (keeps_groups_whole(given, unit_of) && properties::units_on_cycles(given.graph, unit_of) == 0);
  });
  return found;
}

/// Reads `n0 -> n2 with n1 -> n3 with n0`: arrows are uses, members of a group stand side by side, the end is the beginning, and it goes
/// through a node that is not taken.
constexpr auto is_cycle(const grouped_graph& given, std::string_view path) -> bool {
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
      const auto beside = node();
      if (given.group_of[at] != given.group_of[beside] || !has(given.taken, at) || !has(given.taken, beside)) return false;
      at = beside;
    } else {
      if (!is_next(" -> ")) return false;
      const auto user = node();
      if (!has(given.graph.uses[user], at)) return false;
      at = user;
      leaves = leaves || !has(given.taken, at);
    }
  }
  return at == start && leaves;
}

/// What is wrong with the parts that are made, or with the refusal.
constexpr auto wrong_with(const grouped_graph& given) -> std::string_view {
  const auto made = parts_of(given);
  if (!made) {
    if (!made.error.is<"cycle_of_groups">()) return "another rule is said to be broken";
    if (can_be_kept(given)) return "groups are refused that can be kept";
    return is_cycle(given, view(made.error.reason)) ? "" : "the path is none";
  }
  grouping unit_of{};
  small_set seen = 0;
  for (std::size_t n = 0; n < given.graph.size; ++n) unit_of[n] = static_cast<std::uint8_t>(n);
  for (const auto& part : made.value) {
    for (const auto id : part.nodes) {
      unit_of[index(id)] = static_cast<std::uint8_t>(index(part.nodes[0]));
      if (has(seen, index(id))) return "a node is in two parts";
      seen |= small_set{1} << index(id);
    }
  }
  if (seen != given.taken) return "other nodes are taken than are supported";
  if (!keeps_groups_whole(given, unit_of)) return "a group is torn apart";
  return properties::units_on_cycles(given.graph, unit_of) == 0 ? "" : "parts are in a cycle";
}

constexpr auto random_case(std::uint64_t seed, std::size_t nodes) -> grouped_graph {
  properties::random_numbers random(seed);
  const auto some = [&] { return static_cast<std::uint64_t>(random.below(std::size_t{1} << 30)); };
  grouped_graph given{properties::graph_of(nodes, some() & some()), static_cast<small_set>(random.below(std::size_t{1} << nodes)), {}};
  for (std::size_t n = 0; n < nodes; ++n) given.group_of[n] = static_cast<std::uint8_t>(random.below(nodes));
  return given;
}

constexpr auto a_few_cases_hold() -> bool {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    if (!wrong_with(random_case(seed, 4)).empty()) return false;
  }
  return true;
}
static_assert(a_few_cases_hold());

template <operator_support Support>
constexpr auto parts_text(std::string_view graph, std::initializer_list<std::string_view> lists) -> text_buffer {
  const auto program = conformance::draw(graph);
  baton::vector<node_list> groups;
  for (const auto names : lists) groups.push_back(conformance::listed(program, names));
  return conformance::parts_text(program, group_parts<Support>(program, groups).value);
}

// The original's rule merges s_3 with s_1, since no path leaves these two; but one comes to s_1 from the group and goes back.
constexpr auto parts_that_would_need_each_other_are_merged() -> bool {
  return view(parts_text<operator_names<"s">>("s(x) s_1(s) s_2(s_1) s_3(y) -> s_2 s_3", {"s,s_2"})) == "{s,s_1,s_2,s_3}";
}
static_assert(parts_that_would_need_each_other_are_merged());

constexpr auto small_parts_are_left() -> bool {
  const auto program = conformance::draw("s(x) t(s) s_1(t) s_2(s_1) -> s_2");
  const baton::vector<node_list> groups{conformance::listed(program, "s_1,s_2")};
  const auto parts = [&](std::uint32_t least) {
    return conformance::parts_text(program, group_parts<operator_names<"s">>(program, groups, least).value);
  };
  return view(parts(1)) == "{s_1,s_2} {s}" && view(parts(2)) == "{s_1,s_2}" && view(parts(3)).empty();
}
static_assert(small_parts_are_left());

constexpr auto data_that_others_use_is_no_cycle() -> bool {
  const auto program = conformance::draw("u(b_w) s(u,b_w) -> s");
  const baton::vector<node_list> groups{conformance::listed(program, "s,b_w")};
  const auto made = detail::group_proposer(program, 1, detail::choose_nodes<no_support>(program, groups)).run(groups);
  return made && view(conformance::parts_text(program, made.value)) == "{b_w,s}";
}
static_assert(data_that_others_use_is_no_cycle());

}  // namespace

TEST_CASE("groups: parts with fewer nodes than the least are left") { CHECK(small_parts_are_left()); }

TEST_CASE("parts that would need each other are merged") { CHECK(parts_that_would_need_each_other_are_merged()); }

TEST_CASE("data that a group takes along and others use makes no cycle") { CHECK(data_that_others_use_is_no_cycle()); }

TEST_CASE("groups of all graphs of 4 nodes are kept, or refused where nothing can keep them") {
  CHECK(a_few_cases_hold());
  for (std::uint64_t number = 0; number < properties::count_of_graphs(4); ++number) {
    for (small_set taken = 0; taken < 16; ++taken) {
      properties::for_each_grouping(4, 15, [&](const grouping& group_of, std::size_t) {
        const auto wrong = wrong_with({properties::graph_of(4, number), taken, group_of});
        INFO("graph " << number << ", taken " << taken);
        CHECK(std::string(wrong) == "");
      });
    }
  }
}

TEST_CASE("groups of random graphs are kept, or refused where nothing can keep them") {
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    INFO("seed " << seed);
    REQUIRE(std::string(wrong_with(random_case(seed, 5 + seed % 4))) == "");
  }
}

TEST_CASE("by_groups: a hundred thousand nodes in pairs, in an instant") {
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
  const auto made = group_parts<operator_names<"aten.relu.default">>(b.finish(), pairs);
  CHECK(made.value.size() == nodes / 4);
}
