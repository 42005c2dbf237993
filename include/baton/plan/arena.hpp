// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory plan: where in the arena each value lies.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/plan/graph_calls.hpp>
#include <baton/plan/lifetime.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace baton {

/// What a plan must keep to. The alignment is that of every value, a power of two.
struct plan_options {
  std::uint32_t alignment = 16;
};

/// The memory of one graph that runs.
struct graph_memory {
  graph_id graph = none<graph_id>;
  range entries{};  ///< of the plan's needs
  std::uint64_t bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::string_view order;         ///< the order of placing that won
};

/// Offsets in memory, graph by graph: those of the root in the arena, those of another graph in the memory that the calling node has for
/// it. A value that needs no memory, and a node without scratch and subgraphs, have `no_offset`.
struct memory_plan {
  static constexpr std::uint32_t no_offset = 0xffffffffu;

  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::uint32_t alignment = 16;
  std::string_view order;  ///< the order of placing that won for the root
  memory_needs needs;
  std::vector<std::uint64_t> offsets;  ///< by entry of `needs.lifetimes`
  std::vector<graph_memory> graphs;    ///< those that run, a graph before those that call it; the root last

  /// Of a mutable buffer of whatever graph: its place in the arena.
  constexpr auto offset_of(value_id id) const -> std::uint64_t { return offset_of_entry(needs.of_value[index(id)]); }
  /// Of node n of the program: its delegate's scratch, or the memory of the graphs that it calls.
  constexpr auto offset_of_scratch(std::uint32_t n) const -> std::uint64_t { return offset_of_entry(needs.of_scratch[n]); }

 private:
  constexpr auto offset_of_entry(std::uint32_t entry) const -> std::uint64_t {
    return entry == memory_needs::no_entry ? no_offset : offsets[entry];
  }
};

namespace detail {

constexpr auto live_together(const lifetime& a, const lifetime& b) -> bool { return a.first <= b.last && b.first <= a.last; }

/// Places the entries in the given order, each at the lowest offset where it overlaps nothing that lives with it. Gives the arena's size.
class placement {
 public:
  constexpr explicit placement(std::span<const lifetime> needs) : needs_(needs), offsets_(needs.size(), 0) {}

  constexpr auto place(std::span<const std::uint32_t> order) -> std::uint64_t {
    by_offset_.clear();
    std::uint64_t top = 0;
    for (const auto entry : order) top = std::max(top, place_one(entry));
    return top;
  }
  constexpr auto offsets() const -> const std::vector<std::uint64_t>& { return offsets_; }

 private:
  constexpr auto place_one(std::uint32_t entry) -> std::uint64_t {
    const auto& need = needs_[entry];
    std::uint64_t at = 0;
    for (const auto other : by_offset_) {
      if (!live_together(need, needs_[other])) continue;
      if (offsets_[other] >= at + need.bytes) break;
      at = std::max(at, offsets_[other] + needs_[other].bytes);
    }
    offsets_[entry] = at;
    std::size_t place = by_offset_.size();
    by_offset_.push_back(entry);
    for (; place > 0 && offsets_[by_offset_[place - 1]] > at; --place) by_offset_[place] = by_offset_[place - 1];
    by_offset_[place] = entry;
    return at + need.bytes;
  }

  std::span<const lifetime> needs_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> by_offset_;
};

/// An order in which entries may be placed; each wins on some graphs. Earlier entry first where all else is equal.
struct placing_order {
  std::string_view name;
  bool (*before)(const lifetime&, const lifetime&);
};

inline constexpr placing_order placing_orders[] = {
    {"largest first", [](const lifetime& a, const lifetime& b) { return a.bytes > b.bytes; }},
    {"program order", [](const lifetime& a, const lifetime& b) { return a.first < b.first; }},
    {"longest first", [](const lifetime& a, const lifetime& b) { return a.last - a.first > b.last - b.first; }},
    {"largest times longest first",
     [](const lifetime& a, const lifetime& b) { return a.bytes * (a.last - a.first + 1) > b.bytes * (b.last - b.first + 1); }},
    {"reverse program order", [](const lifetime& a, const lifetime& b) { return a.last > b.last; }},
};

/// Plans the memory of one graph after the other, called before calling.
class memory_planner {
 public:
  constexpr memory_planner(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request)
      : program_(program),
        calls_(calls),
        scan_(program, calls, options.alignment, request),
        bytes_(program.graphs.size(), 0),
        bounds_(program.graphs.size(), 0) {
    plan_.alignment = options.alignment;
  }

  constexpr auto run() -> result<memory_plan> {
    for (std::size_t g = calls_.order.size(); g-- > 0;) {
      if (auto why = plan_graph(calls_.order[g])) return why;
    }
    plan_.needs = std::move(scan_.needs());
    const auto& root = plan_.graphs.back();
    plan_.arena_bytes = root.bytes;
    plan_.lower_bound = root.lower_bound;
    plan_.order = root.order;
    return std::move(plan_);
  }

 private:
  constexpr auto plan_graph(graph_id id) -> failure {
    const auto first = static_cast<std::uint32_t>(plan_.offsets.size());
    if (auto why = scan_.add_graph(id, bytes_)) return why;
    const auto entries = std::span<const lifetime>{scan_.needs().lifetimes}.subspan(first);
    graph_memory memory{id, {first, static_cast<std::uint32_t>(entries.size())}, UINT64_MAX, bound_of(id, first), {}};
    placement placement(entries);
    std::vector<std::uint64_t> best;
    for (const auto& attempt : placing_orders) {
      if (memory.bytes == memory.lower_bound) break;
      const auto bytes = placement.place(ordered(entries, attempt));
      if (bytes >= memory.bytes) continue;
      memory.bytes = bytes;
      memory.order = attempt.name;
      best = placement.offsets();
    }
    plan_.offsets.insert(plan_.offsets.end(), best.begin(), best.end());
    bytes_[index(id)] = memory.bytes;
    bounds_[index(id)] = memory.lower_bound;
    plan_.graphs.push_back(memory);
    return {};
  }

  static constexpr auto ordered(std::span<const lifetime> needs, const placing_order& by) -> std::vector<std::uint32_t> {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < needs.size(); ++i) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return by.before(needs[a], needs[b]) || (!by.before(needs[b], needs[a]) && a < b); });
    return order;
  }

  /// A graph's lower bound counts those of the graphs that it calls, not what their plans came to.
  constexpr auto bound_of(graph_id id, std::uint32_t first) -> std::uint64_t {
    const auto& needs = scan_.needs();
    std::vector<lifetime> least(needs.lifetimes.begin() + first, needs.lifetimes.end());
    const auto nodes = program_[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto called = graphs_run_by(program_, program_.nodes[n], calls_.runs_original);
      if (called.empty() || needs.of_scratch[n] == memory_needs::no_entry) continue;
      std::uint64_t bytes = 0;
      for (const auto inner : called) bytes = std::max(bytes, bounds_[index(inner)]);
      least[needs.of_scratch[n] - first].bytes = bytes;
    }
    return lower_bound(least);
  }

  program_view program_;
  const graph_calls& calls_;
  lifetime_scan scan_;
  std::vector<std::uint64_t> bytes_;
  std::vector<std::uint64_t> bounds_;
  memory_plan plan_;
};

}  // namespace detail

/// Plans the memory of the graphs that run: for each, several orders of placing are tried until one reaches the lower bound, the best is
/// kept. What a graph needs is scratch memory of each node that calls it; graphs of one node use the same. The result is checked by
/// `verify_plan`. Errors: `dynamic_shape`. At most quadratic in the number of values.
constexpr auto plan_memory(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request) -> result<memory_plan> {
  if (program.graphs.empty()) return memory_plan{};
  return detail::memory_planner(program, calls, options, request).run();
}
/// The same for a program whose delegates are run by their backends. Errors: also `recursive_graph`.
constexpr auto plan_memory(const program_view& program, const plan_options& options = {}, std::span<const value_id> storage_of = {})
    -> result<memory_plan> {
  const auto calls = graphs_that_run(program);
  if (!calls) return calls.error;
  return plan_memory(program, calls.value, options, {.storage_of = storage_of, .elsewhere = {}});
}

namespace detail {

constexpr auto verify_graph(const memory_plan& plan, const graph_memory& graph) -> failure {
  const auto& needs = plan.needs.lifetimes;
  const auto bytes = index(graph.graph) == 0 ? plan.arena_bytes : graph.bytes;
  for (auto a = graph.entries.first; a < graph.entries.first + graph.entries.size; ++a) {
    if (plan.offsets[a] + needs[a].bytes > bytes || plan.offsets[a] % plan.alignment != 0) {
      return broken<rule::overlapping_memory>("entry ", a, " lies outside the arena or is not aligned");
    }
    for (auto b = graph.entries.first; b < a; ++b) {
      const bool overlap = plan.offsets[a] < plan.offsets[b] + needs[b].bytes && plan.offsets[b] < plan.offsets[a] + needs[a].bytes;
      if (overlap && live_together(needs[a], needs[b])) return broken<rule::overlapping_memory>("entries ", b, " and ", a);
    }
  }
  return {};
}

}  // namespace detail

/// Checks that no two things that live at once overlap, that all lie in their graph's memory and are aligned. Errors:
/// `overlapping_memory`.
constexpr auto verify_plan(const memory_plan& plan) -> failure {
  for (const auto& graph : plan.graphs) {
    if (auto why = detail::verify_graph(plan, graph)) return why;
  }
  return {};
}

}  // namespace baton
