// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Groups of all graphs of a few nodes: levels keep them whole, in the fewest parts that form no cycle, or say that they cannot.
#include <baton/partition/detail/group_levels.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/item_graph.hpp>

#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using namespace properties;

/// What is wrong with the parts of a graph by levels; nothing: an empty text.
auto wrong_with_levels(const small_graph& graph, const program_view& program, small_set set, const grouping& group_of) -> std::string_view {
  const baton::detail::item_graph items(program, graph_id{0});
  const auto first = items.size() - graph.size;  // placeholders come first
  baton::vector<std::uint32_t> groups(items.size(), baton::npos);
  for (std::size_t n = 0; n < graph.size; ++n) {
    if (has(set, n)) groups[first + n] = group_of[n];
  }
  const baton::detail::group_levels levels(items, groups, static_cast<std::uint32_t>(graph.size));
  const auto fewest = fewest_around_groups(graph, set, group_of);
  if (levels.has_cycle()) return fewest != 0 ? "levels: groups are refused that could be kept" : "";
  if (set != 0 && fewest == 0) return "levels: groups are taken that cannot be kept";
  const auto made = levels.parts(0);
  if (made.ids.size() != fewest) return "levels: there are not as few parts as there could be";
  grouping unit_of{};
  for (std::size_t n = 0; n < graph.size; ++n) {
    unit_of[n] = static_cast<std::uint8_t>(n);
    for (std::size_t earlier = n; has(set, n) && earlier-- > 0;) {
      if (made.part_of[first + earlier] == made.part_of[first + n]) unit_of[n] = unit_of[earlier];
    }
    if (unit_of[n] != unit_of[group_of[n]]) return "levels: a group was torn apart";
  }
  return units_on_cycles(graph, unit_of) == 0 ? "" : "levels: parts form a cycle";
}

}  // namespace

TEST_CASE("group_levels: all groups of all graphs of up to 4 nodes, and of one in thirteen of 5") {
  for (std::size_t nodes = 1; nodes <= 5; ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); number += nodes < 5 ? 1 : 13) {
      const auto graph = graph_of(nodes, number);
      const auto program = program_of(graph);
      std::string_view wrong = "";
      for (small_set set = 0; set < small_set{1} << nodes; ++set) {
        for_each_grouping(nodes, set, [&](const grouping& group_of, std::size_t) {
          if (wrong.empty()) wrong = wrong_with_levels(graph, program, set, group_of);
        });
      }
      REQUIRE_MESSAGE(wrong.empty(), std::string(wrong), ": nodes ", nodes, ", graph ", number);
    }
  }
}
