// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// No partitioner produces a cycle, and the check of parts accepts none: all groupings of all graphs with a few nodes, and large random
// graphs.
// BATON_PROPERTY_NODES is the maximum number of nodes of exhaustively tested graphs, 6 by default (6 is two million partitionings).
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/shared/rules.hpp>

#include "lower/tags.hpp"
#include "properties/cycle_search.hpp"
#include "properties/environment.hpp"
#include "properties/random.hpp"
#include "properties/random_program.hpp"
#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using namespace properties;

struct npu {
  static constexpr auto id = name<"Npu">;
};
using supported = by_support<npu, operator_names<"s">>;

/// Makes exactly the nodes of a set supported.
void support(exported_program& program, small_set set) {
  for (std::size_t n = 0; n < program.nodes.size(); ++n) program.nodes[n].op = hash_of(has(set, n) ? "s" : "u");
}

/// Returns the error of a partitioning of a small graph in which the nodes of `set` are supported, or an empty text.
auto wrong_with_parts(const small_graph& graph, small_set set, const exported_program& program, const partition_result& partitioned)
    -> std::string_view {
  const auto tagged = tags::written(partitioned, program);
  for (std::size_t n = 0; n < graph.size; ++n) {
    if ((tagged.nodes[n].tag != none<tag_id>) != has(set, n)) return "a supported node is not delegated, or another node is";
  }
  if (units_on_cycles(graph, grouping_of(tagged)) != 0) return "parts form a cycle";
  if (partitioned.partition_tags.size() != fewest_parts(graph, set)) return "there are not as few parts as there could be";
  return "";
}

auto is_wrong(const small_graph& graph, exported_program& program) -> bool {
  for (small_set set = 0; set < small_set{1} << graph.size; ++set) {
    support(program, set);
    const auto wrong = wrong_with_parts(graph, set, program, supported::partition(program));
    if (wrong.empty()) continue;
    FAIL_CHECK(std::string(wrong) << ": nodes " << graph.size << ", supported " << set);
    return true;
  }
  return false;
}

/// Returns the error of `check_parts` on all groupings of a graph, or an empty text.
auto wrong_with_check(const small_graph& graph) -> std::string_view {
  auto program = program_of(graph);
  for (std::uint32_t t = 0; t < graph.size; ++t) {
    program.tags.push_back({.name = baton::own_bytes(program, view(join("tag", t))), .order = t});
  }
  std::string_view wrong = "";
  for (small_set tagged_nodes = 0; tagged_nodes < small_set{1} << graph.size; ++tagged_nodes) {
    for_each_grouping(graph.size, tagged_nodes, [&](const grouping& unit_of, std::size_t) {
      for (std::size_t n = 0; n < graph.size; ++n)
        program.nodes[n].tag = has(tagged_nodes, n) ? static_cast<tag_id>(unit_of[n]) : none<tag_id>;
      const auto on_cycles = units_on_cycles(graph, unit_of);
      const auto why = check_parts(program);
      if (static_cast<bool>(why) != (on_cycles != 0)) wrong = "a cycle is not found, or found where there is none";
      if (why && !why.is<"dependency_cycle">()) wrong = "another rule is named";
      if (why && !has(on_cycles, static_cast<std::size_t>(why.tag.back() - '0'))) wrong = "a named tag is on no cycle";
    });
  }
  return wrong;
}

/// Supports two nodes of three, depending on the seed.
struct sometimes {
  static inline std::uint64_t seed = 0;
  static auto supports(const program_view&, const node& candidate) -> baton::verdict {
    return random_numbers(seed << 16 | candidate.debug_handle).once_in(3) ? refuse() : accept();
  }
};

/// Returns the error of parts that contain groups of the supported nodes, or an empty text.
auto wrong_with_groups(const small_graph& graph, const program_view& program, small_set set, const grouping& group_of) -> std::string_view {
  baton::vector<node_list> groups(graph.size);
  for (std::size_t n = 0; n < graph.size; ++n) {
    if (has(set, n)) groups[group_of[n]].nodes.push_back(static_cast<node_id>(n));
  }
  const auto partitioned = group_parts<operator_names<"s">>(program, groups);
  const auto fewest = fewest_around_groups(graph, set, group_of);
  const bool can_be = set == 0 || fewest != 0;
  if (!partitioned && !partitioned.error.is<"cycle_of_groups">()) return "another rule is named";
  if (!partitioned) return can_be ? "groups are refused that could be kept" : "";
  if (!can_be) return "the result has groups that cannot be kept whole";
  if (set != 0 && partitioned.value.size() != fewest) return "there are not as few parts as there could be";
  grouping unit_of{};
  for (std::size_t n = 0; n < graph.size; ++n) unit_of[n] = static_cast<std::uint8_t>(n);
  small_set tagged_nodes = 0;
  for (const auto& part : partitioned.value) {
    for (const auto id : part.nodes) {
      tagged_nodes |= small_set{1} << index(id);
      unit_of[index(id)] = static_cast<std::uint8_t>(index(part.nodes.front()));
    }
  }
  if (tagged_nodes != set) return "a supported node is not delegated, or another node is";
  for (std::size_t n = 0; n < graph.size; ++n) {
    if (unit_of[n] != unit_of[group_of[n]]) return "a group was split";
  }
  return units_on_cycles(graph, unit_of) == 0 ? "" : "parts form a cycle";
}

}  // namespace

TEST_CASE("by_support: no cycle and the fewest parts in every graph of up to 6 nodes with every choice of supported nodes") {
  for (std::size_t nodes = 1; nodes <= max_nodes(6); ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      INFO("graph " << number);
      const auto graph = graph_of(nodes, number);
      auto program = program_of(graph);
      if (is_wrong(graph, program)) return;
    }
  }
}

TEST_CASE("by_support: no cycle and the fewest parts also if nodes have two outputs, and edges use one or both") {
  random_numbers random(1);
  for (std::size_t nodes = 1; nodes <= max_nodes(5); ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      const auto graph = graph_of(nodes, number);
      const auto all = std::uint64_t{1} << 2 * std::popcount(number);
      const auto tried = nodes < 5 ? all : std::min<std::uint64_t>(all, 8);
      for (std::uint64_t choices = 0; choices < tried; ++choices) {
        INFO("graph " << number);
        auto program = program_of(graph, {.outputs = 2, .choices = tried == all ? choices : random.below(all)});
        if (is_wrong(graph, program)) return;
      }
    }
  }
}

TEST_CASE("by_support: parts that are split or dropped form no cycle") {
  using split = by_support<npu, operator_names<"s">, partition_options{.max_nodes = 2}>;
  using large = by_support<npu, operator_names<"s">, partition_options{.min_nodes = 2, .max_nodes = 3}>;
  for (std::size_t nodes = 1; nodes <= max_nodes(5); ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      const auto graph = graph_of(nodes, number);
      auto program = program_of(graph);
      for (small_set set = 0; set < small_set{1} << nodes; ++set) {
        support(program, set);
        REQUIRE(units_on_cycles(graph, grouping_of(tags::written(split::partition(program), program))) == 0);
        REQUIRE(units_on_cycles(graph, grouping_of(tags::written(large::partition(program), program))) == 0);
      }
    }
  }
}

TEST_CASE("by_support: no cycle in any graph of random programs with branches, buffers and many outputs") {
  const auto seeds = number_from_environment("BATON_PROPERTY_SEEDS", 20000);
  std::uint64_t parts = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = make_program(seed, {60, 1});
    sometimes::seed = seed;
    const auto partitioned = by_support<npu, sometimes>::partition(program);
    parts += partitioned.partition_tags.size();
    REQUIRE_MESSAGE(!has_cycle(tags::written(partitioned, program)), "seed ", seed);
  }
  MESSAGE(seeds, " programs, ", parts, " parts");
  CHECK(parts > 2 * seeds);
}

TEST_CASE("check_parts: finds a cycle in a grouping if and only if there is one, and names a tag on it") {
  for (std::size_t nodes = 1; nodes <= max_nodes(6); ++nodes) {
    // One of seventeen of the largest graphs.
    const std::uint64_t step = nodes < 6 ? 1 : 17;
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); number += step) {
      std::string_view wrong = wrong_with_check(graph_of(nodes, number));
      REQUIRE_MESSAGE(wrong.empty(), std::string(wrong), ": nodes ", nodes, ", graph ", number);
    }
  }
}

TEST_CASE("by_groups: in graphs of up to 5 nodes, groups are whole in the fewest parts without a cycle, or are refused") {
  for (std::size_t nodes = 1; nodes <= max_nodes(5); ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      const auto graph = graph_of(nodes, number);
      auto program = program_of(graph);
      std::string_view wrong = "";
      for (small_set set = 0; set < small_set{1} << nodes; ++set) {
        support(program, set);
        for_each_grouping(nodes, set, [&](const grouping& group_of, std::size_t) {
          if (wrong.empty()) wrong = wrong_with_groups(graph, program, set, group_of);
        });
      }
      REQUIRE_MESSAGE(wrong.empty(), std::string(wrong), ": nodes ", nodes, ", graph ", number);
    }
  }
}

TEST_CASE("by_groups: groups are whole and parts form no cycle in large random programs") {
  std::size_t kept = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto program = make_program(seed, {6000, 0});
    if (program.nodes.size() < 2100) continue;
    random_numbers random(seed);
    sometimes::seed = seed;
    baton::vector<node_list> groups;
    for (std::uint32_t n = 0; n + 4 < program.nodes.size(); n += 4 + static_cast<std::uint32_t>(random.below(200))) {
      groups.push_back({{node_id{n}, node_id{n + 1 + static_cast<std::uint32_t>(random.below(3))}}});
    }
    const auto partitioned = group_parts<sometimes>(program, groups);
    if (!partitioned) {
      CHECK(partitioned.error.is<"cycle_of_groups">());
      continue;
    }
    ++kept;
    partition_result tagged(program);
    REQUIRE(!tag_parts(tagged, program, partitioned.value, "tag", delegation_spec("Npu")));
    REQUIRE_MESSAGE(!has_cycle(tags::written(tagged, program)), "seed ", seed);
    const auto tag_of = [&](node_id id) { return tagged.tag_of(id); };
    for (const auto& group : groups) {
      const auto first = tag_of(group.nodes[0]);
      const auto second = tag_of(group.nodes[1]);
      CHECK((first == second || first == none<tag_id> || second == none<tag_id>));
    }
  }
  MESSAGE(kept, " programs with groups that can be kept");
  CHECK(kept > 5);
}
