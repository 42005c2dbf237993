// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory plan: the offset of each value in the arena, and the verification of plans.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/lifetime_index.hpp>
#include <baton/plan/detail/row_replay.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/distances_of_step.hpp>
#include <baton/plan/shared/end_copies.hpp>
#include <baton/plan/shared/lifetime.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace baton {

/// Options of a memory plan. `alignment` is the alignment of every value in bytes, a power of two.
struct plan_options {
  std::uint32_t alignment = 16;
};

/// A memory plan: the offset of each entry, in bytes. An entry is one contiguous piece of memory (see `memory_needs`). Offsets of the root
/// graph are relative to the arena. Offsets of a called graph are relative to the memory that the calling node reserves for the graph. In a
/// split arena (see `memory_regions`), the first offset in the slow region is `regions.fast`, the size of the fast region. A value that
/// needs no memory has the offset `npos`. A node that has no scratch and calls no graph also has the offset `npos`.
struct memory_plan {
  /// The memory of one graph that runs.
  struct graph_memory {
    graph_id graph = none<graph_id>;
    range entries{};                ///< the entries of the graph, a range in `needs.lifetimes`
    std::uint64_t bytes = 0;        ///< the size of the memory, without the bytes that are read past the ends of operands
    std::uint64_t lower_bound = 0;  ///< the bound that the policy returned; by default, the maximum of simultaneously live bytes
    std::string_view strategy;      ///< the placement strategy that was chosen
    bool is_optimal = false;        ///< whether no smaller plan of these entries exists; false if unknown
    range distances{};              ///< the distances of the graph (how far operands and outputs may overlap, see `min_distance`), a range
                                    ///< in `needs.distances`
  };

  std::uint64_t arena_bytes = 0;  ///< the size of the arena, including over-read bytes: the bytes that kernels and backends read past
                                  ///< operands
  std::uint64_t lower_bound = 0;  ///< the lower bound of the root
  std::uint32_t alignment = 16;
  std::string_view policy;    ///< the name of the policy
  std::string_view strategy;  ///< the placement strategy that was chosen for the root
  bool is_optimal = false;    ///< whether no smaller plan of the root exists; false if unknown
  memory_regions regions{};   ///< usable bytes of a split arena, without over-read bytes (see `arena_bytes`); `fast` is a multiple of
                              ///< `alignment`
  memory_regions used{};      ///< the used bytes of each region
  memory_needs needs;
  vector<std::uint64_t> offsets;  ///< indexed by entry of `needs.lifetimes`: its offset in bytes
  vector<graph_memory> graphs;    ///< the graphs that run, callees before callers; the root is last
  vector<write_order> orders;     ///< indexed by node of the program: the order of its writes; empty if all are ascending
  stream_plan streams;            ///< the segments of the root (consecutive nodes that run row by row)
  schedule steps;                 ///< the steps of a run, copies last; a lifetime counts the steps of its graph from 0
  storage_map storage;            ///< the memory that contains each value
  /// The proposals of kernels and backends to store values inside other memory, and the decisions on them.
  vector<decided_storage> decided;

  /// True if the memory of a graph is split into two regions.
  constexpr auto is_split(graph_id id) const -> bool { return index(id) == 0 && regions.are_given(); }
  /// Returns the offset of a value in the memory of its graph. The offset of a mutable buffer is relative to the arena in every graph.
  constexpr auto offset_of(value_id id) const -> std::uint64_t {
    return offset_of_entry(needs.value_entries[index(id)]) + (needs.is_nested(id) ? needs.within[index(id)] : 0);
  }
  /// Returns the offset of the scratch of node `n` of the program. The kernel, the delegate or the called graphs of the node use this
  /// scratch. Returns `npos` if the node has no scratch.
  constexpr auto offset_of_scratch(std::uint32_t n) const -> std::uint64_t { return offset_of_entry(needs.scratch_entries[n]); }
  /// Returns the order in which node `n` of the program must write its output.
  constexpr auto order_of(std::uint32_t n) const -> write_order { return orders.empty() ? write_order::ascending : orders[n]; }
  /// Returns the offset in the arena of the table with the addresses of bound values (values in buffers of the caller). Returns `npos` if
  /// no value is bound.
  constexpr auto offset_of_addresses() const -> std::uint64_t { return offset_of_entry(needs.address_entry); }
  /// Returns the offset of the memory in which `copy` saves a value, or `npos` if `copy` writes the value `copy.to`.
  constexpr auto offset_of(const planned_copy& copy) const -> std::uint64_t { return offset_of_entry(copy.memory); }

 private:
  constexpr auto offset_of_entry(std::uint32_t entry) const -> std::uint64_t { return entry == npos ? npos : offsets[entry]; }
};

namespace detail {

/// True if the entries `a` and `b` may overlap at their offsets. The two must have a distance in the step in which the later of their
/// lifetimes begins. All distances of that step must hold in the same order of writing.
constexpr auto may_overlap(const memory_plan& plan, const memory_plan::graph_memory& graph, std::uint32_t a, std::uint32_t b) -> bool {
  const auto all = span<const distance>{plan.needs.distances}.subspan(graph.distances.first, graph.distances.size);
  const auto of_step = distances_of_step(all, std::max(plan.needs.lifetimes[a].first, plan.needs.lifetimes[b].first));
  bool is_pair = false;
  for (const auto& each : of_step) is_pair = is_pair || (each.input == a && each.output == b) || (each.input == b && each.output == a);
  const auto holds = [&](write_order order) { return distances_hold(plan.needs.lifetimes, of_step, plan.offsets, order); };
  return is_pair && (holds(write_order::ascending) || holds(write_order::descending));
}

/// Returns a description of an entry for diagnostics: its value, the node whose scratch it is, or the table of addresses. If the entry is
/// none of these, returns the index of the entry.
constexpr auto name_of_entry(const memory_plan& plan, const program_view& program, std::uint32_t entry) -> text_buffer {
  for (std::size_t v = 0; v < program.values.size(); ++v) {
    if (plan.needs.value_entries[v] == entry) return join("value ", program.text(program.values[v].name));
  }
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (plan.needs.scratch_entries[n] == entry) return join("the scratch of node ", program.text(program.nodes[n].name));
  }
  if (plan.needs.address_entry == entry) return join("the table of addresses");
  return join("entry ", entry);
}
constexpr auto overlap_of(const memory_plan& plan, const program_view& program, std::uint32_t a, std::uint32_t b) -> failure {
  return broken<"overlapping_memory">(view(name_of_entry(plan, program, a)), " and ", view(name_of_entry(plan, program, b)));
}

constexpr auto verify_graph(const memory_plan& plan, const memory_plan::graph_memory& graph, const program_view& program) -> failure {
  const auto begin = graph.entries.first;
  const auto needs = span<const lifetime>{plan.needs.lifetimes}.subspan(begin, graph.entries.size);
  const auto offsets = span<const std::uint64_t>{plan.offsets}.subspan(begin, graph.entries.size);
  const auto end_of_memory = [&](std::uint64_t offset) {
    // `arena_bytes` includes the over-read bytes, which are no room for entries.
    if (!plan.is_split(graph.graph)) return index(graph.graph) == 0 ? std::min(plan.arena_bytes, graph.bytes) : graph.bytes;
    return offset < plan.regions.fast ? plan.regions.fast : plan.regions.fast + plan.regions.slow;
  };
  const auto* const lives = needs.data();
  const auto* const places = offsets.data();
  lifetime_index earlier(needs);
  for (std::uint32_t a = 0; a < needs.size(); ++a) {
    const auto end = end_of_memory(offsets[a]);
    if (offsets[a] > end || needs[a].bytes > end - offsets[a] || offsets[a] % plan.alignment != 0) {
      return broken<"overlapping_memory">(view(name_of_entry(plan, program, begin + a)), " is outside its memory or is not aligned");
    }
    auto overlapped = npos;
    earlier.for_each_simultaneous(a, [&](std::uint32_t b) {
      if (!share_memory(lives[a], places[a], lives[b], places[b])) return;
      if (graph.distances.size == 0 || !may_overlap(plan, graph, begin + a, begin + b)) overlapped = std::min(overlapped, b);
    });
    if (overlapped != npos) return overlap_of(plan, program, begin + overlapped, begin + a);
    earlier.insert(a);
  }
  return {};
}

/// True if two entries are disjoint, or if the offset of `input` minus the offset of `output` is at least `distance`.
constexpr auto is_distant(const memory_plan& plan, std::uint32_t input, std::uint32_t output, std::int64_t distance) -> bool {
  const auto& lives = plan.needs.lifetimes;
  const auto between = static_cast<std::int64_t>(plan.offsets[input]) - static_cast<std::int64_t>(plan.offsets[output]);
  return between >= distance || !share_memory(lives[input], plan.offsets[input], lives[output], plan.offsets[output]);
}

/// True if the scratch and the kept rows (see `kept_rows`) of a segment are aligned, like values in the arena.
constexpr auto is_aligned(const memory_plan& plan, const stream_segment& segment) -> bool {
  auto all = segment.scratch_offset;
  for (const auto& kept : plan.streams.kept_of(segment)) all |= kept.offset;
  return all % plan.alignment == 0;
}

}  // namespace detail

/// Checks a memory plan. Simultaneously live entries must not overlap, except as far as a distance allows. Every entry must be aligned and
/// inside the memory of its graph. Every segment must keep the rows that its nodes need. These rows must be aligned and inside the memory
/// of the segment. Fails with `overlapping_memory`. The reason names the entries by value or node, or by their index in `needs.lifetimes`
/// if `program` is empty. Reasons for segments may state positions in the schedule instead.
constexpr auto verify_plan(const memory_plan& plan, const program_view& program = {}) -> failure {
  for (const auto& segment : plan.streams.segments) {
    if (auto why = detail::verify_segment(plan.streams, segment)) return why;
    const auto input = plan.needs.value_entries[index(segment.input)];
    // The planner calls this function before the steps of the plan are set. At that time, the entry of the segment's memory is unknown, and
    // only `verify_graph` checks the overlaps of this memory.
    const auto memory = plan.steps.nodes.empty() ? npos : plan.needs.scratch_entries[index(plan.steps.nodes[segment.first])];
    if (!detail::is_aligned(plan, segment) || (memory != npos && plan.needs.lifetimes[memory].bytes < segment.bytes)) {
      return broken<"overlapping_memory">("the memory of the segment at position ", segment.first,
                                          " of the schedule is too small or not aligned");
    }
    if (input != npos && memory != npos && !detail::is_distant(plan, input, memory, segment.memory_distance))
      return detail::overlap_of(plan, program, input, memory);
    const auto output = plan.needs.value_entries[index(plan.streams.graph.nodes[segment.last()].output)];
    if (output != npos && memory != npos && !detail::is_distant(plan, memory, output, segment.output_distance))
      return detail::overlap_of(plan, program, memory, output);
    if (input == npos || output == npos) continue;  // one of them is in a buffer of the caller
    if (!detail::is_distant(plan, input, output, segment.distance)) return detail::overlap_of(plan, program, input, output);
  }
  for (const auto& graph : plan.graphs) {
    if (auto why = detail::verify_graph(plan, graph, program)) return why;
  }
  return {};
}

}  // namespace baton
