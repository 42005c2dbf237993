// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The outputs that overlap operands in a plan, and the reasons why other outputs do not.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/distances_of_step.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report::detail {

/// Whether an output overlaps an operand of its node, and the reason if it does not.
enum class overlap_kind : std::uint8_t { overlaps, placed_disjoint, without_distance, used_later };

inline constexpr std::array<std::string_view, 4> overlap_kind_names{
    "overlaps", "disjoint: there is enough memory", "disjoint: no minimum distance is declared", "disjoint: the operand is used later"};

/// An operand and an output of a node. The operand and the output are in different entries of the memory plan.
struct node_overlap {
  std::uint32_t node = 0;  ///< the index of the node in the program
  value_id input = none<value_id>;
  value_id output = none<value_id>;
  overlap_kind kind = overlap_kind::without_distance;
  std::uint64_t bytes = 0;  ///< the number of bytes that the operand and the output both occupy; 0 if disjoint
};

class overlap_list {
 public:
  constexpr overlap_list(const program_view& program, const memory_plan& plan) : program_(program), plan_(plan) {}

  constexpr auto run() -> vector<node_overlap> {
    for (std::size_t g = plan_.graphs.size(); g-- > 0;) {
      const auto& graph = plan_.graphs[g];
      if (graph.distances.size == 0) continue;
      const auto nodes = program_[graph.graph].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        const auto step = plan_.steps.step_of[n];
        if (plan_.steps.steps_of(graph.graph)[step].kind != step_kind::rows) add_node(graph, n, step);
      }
      if (index(graph.graph) == 0) add_segments(graph);
    }
    const bool has_overlap =
        std::any_of(pairs_.begin(), pairs_.end(), [](const node_overlap& each) { return each.kind == overlap_kind::overlaps; });
    if (!has_overlap) pairs_.clear();
    return std::move(pairs_);
  }

 private:
  constexpr void add_node(const memory_plan::graph_memory& graph, std::uint32_t n, std::uint32_t step) {
    const auto& needs = plan_.needs;
    const auto is_own = [&](std::uint32_t entry) { return entry - graph.entries.first < graph.entries.size; };
    const auto inputs = program_.inputs(program_.nodes[n]);
    for (const auto output : program_.outputs_of(program_.nodes[n])) {
      const auto to = needs.value_entries[index(output)];
      if (!is_own(to) || needs.lifetimes[to].first != step) continue;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] == none<value_id>) continue;
        const auto from = needs.value_entries[index(inputs[i])];
        const auto is_same = [&](value_id other) { return other != none<value_id> && needs.value_entries[index(other)] == from; };
        if (!is_own(from) || from == to || std::any_of(inputs.begin(), inputs.begin() + i, is_same)) continue;
        add(graph, {n, inputs[i], output}, from, to, step);
      }
    }
  }

  /// Adds the input and the output of each segment, as an operand and an output of the segment's first node. A segment is a range of nodes
  /// that run row by row.
  constexpr void add_segments(const memory_plan::graph_memory& graph) {
    for (const auto& segment : plan_.streams.segments) {
      const auto output = plan_.streams.graph.nodes[segment.last()].output;
      const auto from = plan_.needs.value_entries[index(segment.input)];
      const auto to = plan_.needs.value_entries[index(output)];
      if (from == npos || to == npos) continue;  // the input or the output of the segment is in a buffer of the caller
      const auto first = index(plan_.steps.nodes[segment.first]);
      add(graph, {first, segment.input, output}, from, to, plan_.steps.step_of[first]);
    }
  }

  constexpr void add(const memory_plan::graph_memory& graph, node_overlap pair, std::uint32_t from, std::uint32_t to, std::uint32_t step) {
    const auto& needs = plan_.needs;
    const auto all = span<const distance>{needs.distances}.subspan(graph.distances.first, graph.distances.size);
    const auto step_distances = baton::distances_of_step(all, step);
    const auto end = [&](std::uint32_t entry) { return plan_.offsets[entry] + needs.lifetimes[entry].bytes; };
    const auto begin = std::max(plan_.offsets[from], plan_.offsets[to]);
    const auto is_pair = [&](const distance& each) { return each.input == from && each.output == to; };
    if (needs.lifetimes[from].last > step) {
      pair.kind = overlap_kind::used_later;
    } else if (std::none_of(step_distances.begin(), step_distances.end(), is_pair)) {
      pair.kind = overlap_kind::without_distance;
    } else if (begin >= std::min(end(from), end(to))) {
      pair.kind = overlap_kind::placed_disjoint;
    } else {
      pair.kind = overlap_kind::overlaps;
      pair.bytes = std::min(end(from), end(to)) - begin;
    }
    pairs_.push_back(pair);
  }

  program_view program_;
  const memory_plan& plan_;
  vector<node_overlap> pairs_;
};

/// Returns the operand-output pairs of the nodes, graph by graph, beginning with the root. Omits a graph if the plan has no minimum
/// distances between the operands and the outputs of its nodes. Returns an empty list if no pair overlaps.
constexpr auto overlaps_of(const program_view& program, const memory_plan& plan) -> vector<node_overlap> {
  return overlap_list(program, plan).run();
}

}  // namespace baton::report::detail
