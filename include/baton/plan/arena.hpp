// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory plan: where in the arena each value lies.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/lifetime_index.hpp>
#include <baton/plan/end_copies.hpp>
#include <baton/plan/graph_calls.hpp>
#include <baton/plan/lifetime.hpp>
#include <baton/plan/pinned_states.hpp>
#include <baton/plan/placing.hpp>
#include <baton/plan/regions.hpp>
#include <baton/plan/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// How a plan places values.
enum class placing : std::uint8_t {
  best,   ///< as close together as several ways come
  apart,  ///< every value in memory of its own, so that all can be looked at after a run
};

/// What a plan must keep to. The alignment is that of every value, a power of two.
struct plan_options {
  std::uint32_t alignment = 16;
  placing way = placing::best;
};

/// The memory of one graph that runs.
struct graph_memory {
  graph_id graph = none<graph_id>;
  range entries{};  ///< of the plan's needs
  std::uint64_t bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::string_view order;         ///< the way of placing that won
  bool is_optimal = false;        ///< whether it is known that no plan of these entries needs less
};

/// Offsets in memory, graph by graph: those of the root in the arena, those of another graph in the memory that the calling node has for
/// it. In an arena that is split, offsets go on in the slow region where the fast one ends. A value that needs no memory, and a node
/// without scratch and subgraphs, have `no_offset`.
struct memory_plan {
  static constexpr std::uint32_t no_offset = 0xffffffffu;

  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;  ///< the most bytes that live at once
  std::uint32_t alignment = 16;
  std::string_view order;    ///< the way of placing that won for the root
  bool is_optimal = false;   ///< whether it is known that no plan of the root's entries needs less
  memory_regions regions{};  ///< over which the arena is split: the bytes that can be used at this alignment, and beside read-ahead
  memory_regions used{};     ///< bytes of these
  memory_needs needs;
  vector<std::uint64_t> offsets;  ///< by entry of `needs.lifetimes`
  vector<graph_memory> graphs;    ///< those that run, a graph before those that call it; the root last

  /// Whether the memory of a graph is split over two regions.
  constexpr auto is_split(graph_id id) const -> bool { return index(id) == 0 && regions.are_given(); }
  /// Of a mutable buffer of whatever graph: its place in the arena.
  constexpr auto offset_of(value_id id) const -> std::uint64_t { return offset_of_entry(needs.of_value[index(id)]); }
  /// Of node n of the program: its delegate's scratch, or the memory of the graphs that it calls.
  constexpr auto offset_of_scratch(std::uint32_t n) const -> std::uint64_t { return offset_of_entry(needs.of_scratch[n]); }
  /// Of a copy: the memory that is its own.
  constexpr auto offset_of(const planned_copy& copy) const -> std::uint64_t { return offset_of_entry(copy.memory); }

 private:
  constexpr auto offset_of_entry(std::uint32_t entry) const -> std::uint64_t {
    return entry == memory_needs::no_entry ? no_offset : offsets[entry];
  }
};

/// The entry of the plan's needs that is a state of the program, by its fully qualified name (lowered modules keep theirs); `no_entry`:
/// none that runs has it.
constexpr auto entry_of_state(const program_view& program, const memory_plan& plan, std::string_view name) -> std::uint32_t {
  const auto modules = modules_of_graphs(program);
  for (const auto& graph : plan.graphs) {
    if (modules[index(graph.graph)] != none<delegate_id>) continue;
    for (const auto input : program.inputs(program[graph.graph])) {
      const auto& record = program[input];
      if (record.kind != value_kind::mutable_buffer || program.text(record.target) != name) continue;
      return plan.needs.of_value[index(input)];
    }
  }
  return memory_needs::no_entry;
}

namespace detail {

/// Plans the memory of one graph after the other, called before calling.
class memory_planner {
 public:
  constexpr memory_planner(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request)
      : program_(program),
        calls_(calls),
        request_(request),
        way_(options.way),
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
    plan_.arena_bytes = root.bytes + request_.read_ahead_bytes * (plan_.used.fast != 0 && plan_.used.slow != 0 ? 2 : 1);
    plan_.lower_bound = root.lower_bound;
    plan_.order = root.order;
    plan_.is_optimal = root.is_optimal;
    return std::move(plan_);
  }

 private:
  constexpr auto plan_graph(graph_id id) -> failure {
    const auto first = static_cast<std::uint32_t>(plan_.offsets.size());
    if (auto why = scan_.add_graph(id, bytes_)) return why;
    const auto entries = std::span<const lifetime>{scan_.needs().lifetimes}.subspan(first);
    auto bound = bound_of(id, first);
    best_placed best;
    if (index(id) == 0 && request_.pinned.bytes != 0) {
      const placing_behind_states behind(
          entries, request_.pinned, [&](value_id state) { return static_cast<std::size_t>(scan_.needs().of_value[index(state)]) - first; });
      bound -= behind.pinned_bytes();
      best = place(behind.rest(), bound);
      best.made = behind.with_states(best.made);
      bound += request_.pinned.bytes;
    } else if (index(id) == 0 && request_.regions.are_given()) {
      if (auto why = split(entries, best)) return why;
    } else {
      best = place(entries, bound);
    }
    plan_.offsets.insert(plan_.offsets.end(), best.made.offsets.begin(), best.made.offsets.end());
    bytes_[index(id)] = best.made.bytes;
    bounds_[index(id)] = bound;
    plan_.graphs.push_back({id, {first, static_cast<std::uint32_t>(entries.size())}, best.made.bytes, bound, best.way, best.is_optimal});
    return {};
  }

  constexpr auto place(std::span<const lifetime> needs, std::uint64_t bound) const -> best_placed {
    if (way_ == placing::apart) return {place_apart(needs), "apart", false};
    return place_best(needs, bound);
  }

  /// Places the root's entries in two regions. Errors: `regions_too_small`.
  constexpr auto split(std::span<const lifetime> entries, best_placed& best) -> failure {
    const auto without_read_ahead = [this](std::uint64_t bytes) {
      return bytes - std::min<std::uint64_t>(bytes, request_.read_ahead_bytes);
    };
    const memory_regions given{without_read_ahead(request_.regions.fast) / plan_.alignment * plan_.alignment,
                               without_read_ahead(request_.regions.slow)};
    vector<lifetime> needs(entries.begin(), entries.end());
    if (way_ == placing::apart) {
      for (auto& need : needs) need = {0, 0, need.bytes};
    }
    auto made = place_in_regions(needs, uses_in_root(entries.size()), given);
    if (!made.fits) {
      return broken<rule::regions_too_small>("the slow region of ", request_.regions.slow, " bytes is too small; ",
                                             made.used.slow + request_.read_ahead_bytes, " would be enough");
    }
    plan_.regions = given;
    plan_.used = made.used;
    best = {{std::move(made.offsets), made.used.fast + made.used.slow}, way_ == placing::apart ? "apart" : made.way, false};
    return {};
  }

  /// By entry of the root, how often a node reads or writes it: what the compiler knows of traffic. What a node calls is used once.
  constexpr auto uses_in_root(std::size_t count) -> vector<std::uint32_t> {
    const auto& needs = scan_.needs();
    const auto first = needs.lifetimes.size() - count;
    vector<std::uint32_t> uses(count, 0);
    const auto use = [&](std::uint32_t entry) {
      if (entry != memory_needs::no_entry) ++uses[entry - first];
    };
    const auto nodes = program_.root().nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input != none<value_id>) use(needs.of_value[index(input)]);
      }
      for (const auto output : program_.outputs_of(program_.nodes[n])) use(needs.of_value[index(output)]);
      use(needs.of_scratch[n]);
    }
    return uses;
  }

  /// A graph's lower bound counts those of the graphs that it calls, not what their plans came to.
  constexpr auto bound_of(graph_id id, std::uint32_t first) -> std::uint64_t {
    const auto& needs = scan_.needs();
    vector<lifetime> least(needs.lifetimes.begin() + first, needs.lifetimes.end());
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
  memory_request request_;
  placing way_;
  lifetime_scan scan_;
  vector<std::uint64_t> bytes_;
  vector<std::uint64_t> bounds_;
  memory_plan plan_;
};

}  // namespace detail

/// Plans the memory of the graphs that run: for each, several ways of placing are tried until one reaches the lower bound, the best is
/// kept (`place_best`). What a graph needs is scratch memory of each node that calls it; graphs of one node use the same. The result is
/// checked by `verify_plan`. Errors: `dynamic_shape`, `regions_too_small`. Near-linear where little lives at once.
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
  return plan_memory(program, calls.value, options, {storage_of, {}, 0});
}

namespace detail {

constexpr auto verify_graph(const memory_plan& plan, const graph_memory& graph) -> failure {
  const auto needs = std::span<const lifetime>{plan.needs.lifetimes}.subspan(graph.entries.first, graph.entries.size);
  const auto offsets = std::span<const std::uint64_t>{plan.offsets}.subspan(graph.entries.first, graph.entries.size);
  const auto end_of_memory = [&](std::uint64_t offset) {
    if (!plan.is_split(graph.graph)) return index(graph.graph) == 0 ? plan.arena_bytes : graph.bytes;
    return offset < plan.regions.fast ? plan.regions.fast : plan.regions.fast + plan.regions.slow;
  };
  lifetime_index earlier(needs);
  for (std::uint32_t a = 0; a < needs.size(); ++a) {
    if (offsets[a] + needs[a].bytes > end_of_memory(offsets[a]) || offsets[a] % plan.alignment != 0) {
      return broken<rule::overlapping_memory>("entry ", graph.entries.first + a, " lies outside its memory or is not aligned");
    }
    auto overlapped = memory_needs::no_entry;
    earlier.for_each_living_with(a, [&](std::uint32_t b) {
      const bool overlap = offsets[a] < offsets[b] + needs[b].bytes && offsets[b] < offsets[a] + needs[a].bytes;
      if (overlap) overlapped = std::min(overlapped, b);
    });
    if (overlapped != memory_needs::no_entry) {
      return broken<rule::overlapping_memory>("entries ", graph.entries.first + overlapped, " and ", graph.entries.first + a);
    }
    earlier.insert(a);
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
