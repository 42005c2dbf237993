// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts that are split so that they form no cycle: every grouping of every graph of up to 5 nodes, compared with the minimum number of
// pieces, and random programs. BATON_PROPERTY_NODES is the maximum number of nodes.
#include <baton/partition/split_cycles.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/partitioner.hpp>

#include "lower/tags.hpp"
#include "properties/cycle_search.hpp"
#include "properties/environment.hpp"
#include "properties/random.hpp"
#include "properties/random_program.hpp"
#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using namespace properties;

/// Tags nodes by a grouping. A part is named after its first node.
struct grouped {
  small_set tagged_nodes = 0;
  grouping unit_of{};

  auto partition(const program_view& program) const -> partition_result {
    partition_result tagged(program);
    baton::vector<tag_id> tags(program.nodes.size(), none<tag_id>);
    for (std::size_t n = 0; n < program.nodes.size(); ++n) {
      if (!has(tagged_nodes, n)) continue;
      auto& tag = tags[unit_of[n]];
      if (tag == none<tag_id>) tag = tagged.add_tag(view(join("tag", unit_of[n])), delegation_spec("Npu"));
      tagged.tag_node(static_cast<node_id>(n), tag);
    }
    return tagged;
  }
};

/// Returns the error of the pieces of parts, or an empty text.
auto wrong_with_pieces(const small_graph& graph, const grouped& groups, const partition_result& tagged, const exported_program& program)
    -> std::string_view {
  const auto pieces = grouping_of(tags::written(tagged, program));
  if (units_on_cycles(graph, pieces) != 0) return "pieces form a cycle";
  const auto on_cycles = units_on_cycles(graph, groups.unit_of);
  for (std::size_t n = 0; n < graph.size; ++n) {
    const auto tag = tagged.node_tags()[n];
    if ((tag != none<tag_id>) != has(groups.tagged_nodes, n)) return "a tag is lost, or a node has one that had none";
    if (tag == none<tag_id>) continue;
    if (groups.unit_of[pieces[n]] != groups.unit_of[n]) return "a piece has nodes of two tags";
    if (!has(on_cycles, groups.unit_of[n]) && pieces[n] != groups.unit_of[n]) return "a split tag is on no cycle";
  }
  return "";
}

/// True if two nodes have one tag.
struct has_one_tag {
  const grouping& unit_of;
  auto operator()(std::size_t a, std::size_t b) const -> bool { return unit_of[a] == unit_of[b]; }
};

struct tally {
  std::size_t split = 0;
  std::size_t pieces = 0;
  std::size_t fewest = 0;
  double worst = 1;

  void add(std::size_t count, std::size_t minimum) {
    split += 1;
    pieces += count;
    fewest += minimum;
    worst = std::max(worst, static_cast<double>(count) / static_cast<double>(minimum));
  }
};

void try_groupings(const small_graph& graph, tally& seen) {
  const auto program = program_of(graph);
  for (small_set tagged_nodes = 0; tagged_nodes < small_set{1} << graph.size; ++tagged_nodes) {
    for_each_grouping(graph.size, tagged_nodes, [&](const grouping& unit_of, std::size_t) {
      const split_cycles<grouped> splitting{{tagged_nodes, unit_of}};
      const auto tagged = splitting.partition(program).value;
      const auto wrong = wrong_with_pieces(graph, splitting, tagged, program);
      REQUIRE_MESSAGE(wrong.empty(), wrong);
      if (units_on_cycles(graph, unit_of) != 0)
        seen.add(tagged.partition_tags.size(), fewest_parts(graph, tagged_nodes, has_one_tag{unit_of}));
    });
  }
}

/// Tags random nodes of every graph with one of a few tags that all graphs share.
struct random_grouping {
  std::uint64_t seed = 0;

  auto partition(const program_view& program) const -> partition_result {
    random_numbers random(seed);
    partition_result tagged(program);
    baton::vector<tag_id> tags;
    for (std::size_t t = 0; t < 4; ++t) tags.push_back(tagged.add_tag(view(join("tag", t)), delegation_spec("Npu")));
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (!random.once_in(3)) tagged.tag_node(static_cast<node_id>(n), tags[random.below(4)]);
    }
    return tagged;
  }
};

}  // namespace

TEST_CASE("split_cycles: no cycle and few pieces in every grouping of graphs of up to 5 nodes; other parts stay whole") {
  tally seen;
  for (std::size_t nodes = 1; nodes <= max_nodes(5); ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      INFO("nodes " << nodes << ", graph " << number);
      try_groupings(graph_of(nodes, number), seen);
    }
  }
  const auto mean = seen.fewest == 0 ? 1.0 : static_cast<double>(seen.pieces) / static_cast<double>(seen.fewest);
  MESSAGE(seen.split, " groupings with a cycle, pieces to the fewest: mean ", mean, ", worst ", seen.worst);
  CHECK(mean < 1.01);
  CHECK(seen.worst < 1.51);
}

TEST_CASE("split_cycles: no cycle in any graph of random programs with branches and loops") {
  const auto seeds = number_from_environment("BATON_PROPERTY_SEEDS", 20000);
  std::uint64_t cycles = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = make_program(seed, {60, 2});
    const auto tagged = split_cycles<random_grouping>{{seed}}.partition(program).value;
    cycles += has_cycle(tags::written(random_grouping{seed}.partition(program), program)) ? 1 : 0;
    REQUIRE_MESSAGE(!has_cycle(tags::written(tagged, program)), "seed ", seed);
  }
  MESSAGE(seeds, " programs, ", cycles, " with a cycle");
  CHECK(cycles > seeds / 4);
}
