// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory planner, which plans the memory of each graph, callees first, with a given policy.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/chosen_schedule.hpp>
#include <baton/plan/shared/distances_of_step.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/lifetime.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/lower_bound.hpp>
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/rules.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// A planner of the memory of each graph, callees before callers.
class memory_planner {
 public:
  constexpr memory_planner(const program_view& program, const graph_calls& calls, const plan_options& options,
                           const memory_request& request, const chosen_policy& policy)
      : program_(program),
        calls_(calls),
        request_(request),
        policy_(policy),
        scan_(program, calls, options.alignment, request),
        bytes_(program.graphs.size(), 0),
        bounds_(program.graphs.size(), 0) {
    plan_.alignment = options.alignment;
    plan_.policy = policy.name;
  }

  constexpr auto run() -> result<memory_plan> {
    for (std::size_t g = calls_.order.size(); g-- > 0;) {
      if (auto why = plan_graph(calls_.order[g])) return why;
    }
    plan_.needs = std::move(scan_.needs());
    if (request_.streams != nullptr) plan_.streams = *request_.streams;
    const auto& root = plan_.graphs.back();
    plan_.arena_bytes = root.bytes + request_.overread_bytes * (plan_.used.fast != 0 && plan_.used.slow != 0 ? 2 : 1);
    plan_.lower_bound = root.lower_bound;
    plan_.strategy = root.strategy;
    plan_.is_optimal = root.is_optimal;
    if (const auto why = verify_plan(plan_, program_)) return invalid(view(why.reason));
    order_writes();
    return std::move(plan_);
  }

 private:
  constexpr auto plan_graph(graph_id id) -> failure {
    const auto first = static_cast<std::uint32_t>(plan_.offsets.size());
    if (auto why = scan_.add_graph(id, bytes_)) return why;
    auto& needs = scan_.needs();
    const auto entries = span<const lifetime>{needs.lifetimes}.subspan(first);
    const auto distances = distances_in(id, first);
    auto bound = bound_of(id, first);
    placement placed;
    const auto pinned_bytes =
        request_.pinned.bytes + (request_.regions.are_given() ? 0 : round_up(request_.address_bytes, plan_.alignment));
    if (index(id) == 0 && pinned_bytes != 0) {
      vector<pinned_item> pinned;
      for (const auto& state : request_.pinned.states) pinned.push_back({needs.value_entries[index(state.buffer)] - first, state.offset});
      if (request_.address_bytes != 0) pinned.push_back({needs.address_entry - first, request_.pinned.bytes});
      const unpinned_items unpinned(entries, pinned, pinned_bytes);
      const auto unpinned_distances = unpinned.distances_between(distances);
      if (auto why = place({unpinned.items(), unpinned_distances, plan_.alignment, bound - unpinned.pinned_bytes()}, placed)) return why;
      bound = placed.lower_bound + pinned_bytes;
      static_cast<memory_layout&>(placed) = unpinned.with_pinned(placed);
    } else if (index(id) == 0 && request_.regions.are_given()) {
      if (auto why = split({entries, distances, plan_.alignment, bound}, placed)) return why;
    } else {
      if (auto why = place({entries, distances, plan_.alignment, bound}, placed)) return why;
      bound = placed.lower_bound;
    }
    if (distances.empty() && !request_.regions.are_given() && placed.bytes <= bound) placed.is_optimal = true;
    plan_.offsets.insert(plan_.offsets.end(), placed.offsets.begin(), placed.offsets.end());
    bytes_[index(id)] = placed.bytes;
    bounds_[index(id)] = bound;
    const range distance_range{static_cast<std::uint32_t>(needs.distances.size()), static_cast<std::uint32_t>(distances.size())};
    for (auto each : distances) {
      each.input += first;
      each.output += first;
      needs.distances.push_back(each);
    }
    plan_.graphs.push_back(
        {id, {first, static_cast<std::uint32_t>(entries.size())}, placed.bytes, bound, placed.strategy, placed.is_optimal, distance_range});
    return {};
  }

  /// Runs the policy and checks the number of offsets. `verify_plan` checks the other requirements. Fails with `invalid_policy`.
  constexpr auto place(const memory_problem& problem, placement& placed) const -> failure {
    placed = policy_.place(problem);
    if (placed.lower_bound == 0) placed.lower_bound = std::min(problem.lower_bound, placed.bytes);
    return check_count(problem, placed.offsets.size());
  }
  constexpr auto check_count(const memory_problem& problem, std::size_t offsets) const -> failure {
    if (offsets == problem.items.size()) return {};
    return invalid(view(join(offsets, " offsets for ", problem.items.size(), " items")));
  }
  constexpr auto invalid(std::string_view reason) const -> failure {
    return broken<"invalid_policy">("policy ", policy_.name, ": ", reason);
  }

  /// Returns the distances (how far an operand and an output may overlap, see `min_distance`) that the kernels of a graph's nodes declare,
  /// sorted by step. A distance is included if the lifetime of the operand ends at the node, and the lifetime of the output begins at the
  /// node. The operand and the output must both have entries (contiguous pieces of memory, see `memory_needs`) in the memory of this graph.
  constexpr auto distances_in(graph_id id, std::uint32_t first) -> vector<distance> {
    vector<distance> distances;
    const auto& needs = scan_.needs();
    const auto nodes = program_[id].nodes;
    const auto bytes = [this](value_id value) { return byte_count(program_[value].type, program_.shape(value)); };
    for (const auto& each : request_.distances) {
      if (each.node < nodes.first || each.node - nodes.first >= nodes.size) continue;
      const auto step = request_.order->step_of[each.node];
      const auto input = needs.value_entries[index(each.input)];
      const auto output = needs.value_entries[index(each.output)];
      if (input == npos || output == npos || input == output) continue;
      if (input < first || output < first) continue;
      if (needs.lifetimes[input].last != step || needs.lifetimes[output].first != step || !is_of_whole_entries(each, input)) continue;
      distance pair{step, input - first, output - first, each.min.ascending};
      if (each.min.descending != min_distance::disjoint) {
        // For descending writes, a kernel declares a minimum of the output's end minus the operand's end. But `distance::descending` is a
        // maximum of the operand's offset minus the output's offset, so the declared number is converted.
        pair.descending = bytes(each.output) - bytes(each.input) - each.min.descending;
      }
      distances.push_back(pair);
    }
    if (index(id) == 0 && request_.streams != nullptr) add_distances_of_segments(first, distances);
    const auto is_earlier = [](const distance& a, const distance& b) { return a.step != b.step ? a.step < b.step : a.input < b.input; };
    if (!std::is_sorted(distances.begin(), distances.end(), [](const distance& a, const distance& b) { return a.step < b.step; }))
      sort(distances.begin(), distances.end(), is_earlier);
    return distances;
  }

  /// Adds at most two distances for each segment (consecutive nodes that run row by row, see `stream_segment`). One is between the
  /// segment's input and the segment's memory (`memory_distance`), the other between this memory and the segment's output
  /// (`output_distance`). The distance to the input is added only if the lifetime of the input ends in the segment. The distance to the
  /// output is added only if the lifetime of the output begins there.
  constexpr void add_distances_of_segments(std::uint32_t first, vector<distance>& distances) {
    const auto& needs = scan_.needs();
    for (const auto& segment : request_.streams->segments) {
      const auto node = index(request_.order->nodes[segment.first]);
      const auto step = request_.order->step_of[node];
      const auto input = needs.value_entries[index(segment.input)];
      const auto memory = needs.scratch_entries[node];
      const auto output = request_.streams->graph.nodes[segment.last()].output;
      const auto whole = needs.value_entries[index(output)];
      if (segment.output_distance != min_distance::disjoint && whole != npos && memory != npos && !needs.is_nested(output) &&
          needs.lifetimes[whole].first == step)
        distances.push_back({step, memory - first, whole - first, segment.output_distance});
      if (segment.memory_distance == min_distance::disjoint || input == npos || memory == npos || input < first) continue;
      if (needs.lifetimes[input].last != step || !is_of_whole_entries({node, segment.input, segment.input, {}}, input)) continue;
      distances.push_back({step, input - first, memory - first, segment.memory_distance});
    }
  }

  /// True if distance `each` between two values also holds between the entries that contain them. This requires that the output is not a
  /// subview (a value that is stored inside another value). Every operand that is in entry `input` must have a declared distance, and must
  /// not be a subview.
  constexpr auto is_of_whole_entries(const declared_distance& each, std::uint32_t input) -> bool {
    const auto& needs = scan_.needs();
    if (needs.is_nested(each.output)) return false;
    for (const auto other : program_.inputs(program_.nodes[each.node])) {
      if (other == none<value_id> || needs.value_entries[index(other)] != input) continue;
      if (needs.is_nested(other)) return false;
      const auto is_of_other = [&](const declared_distance& known) { return known.node == each.node && known.input == other; };
      if (other != each.input && std::none_of(request_.distances.begin(), request_.distances.end(), is_of_other)) return false;
    }
    return true;
  }

  /// Records the nodes that must write in descending order, because ascending writes would overwrite operands before they are read.
  constexpr void order_writes() {
    for (const auto& graph : plan_.graphs) {
      const auto all = span<const distance>{plan_.needs.distances}.subspan(graph.distances.first, graph.distances.size);
      for (const auto& each : all) {
        const auto of_step = distances_of_step(all, each.step);
        if (distances_hold(plan_.needs.lifetimes, of_step, plan_.offsets, write_order::ascending)) continue;
        if (plan_.orders.empty()) plan_.orders.assign(program_.nodes.size(), write_order::ascending);
        plan_.orders[index(request_.order->first_node(graph.graph, each.step))] = write_order::descending;
      }
    }
  }

  /// Places the root's entries in the two regions of a split arena (see `memory_regions`). Fails with `unsplit_policy`, `regions_too_small`
  /// or `invalid_policy`.
  constexpr auto split(const memory_problem& problem, placement& placed) -> failure {
    if (policy_.place_in_regions == nullptr) return broken<"unsplit_policy">("policy ", policy_.name);
    const auto without_overread = [this](std::uint64_t bytes) { return bytes - std::min<std::uint64_t>(bytes, request_.overread_bytes); };
    const memory_regions usable{without_overread(request_.regions.fast) / plan_.alignment * plan_.alignment,
                                without_overread(request_.regions.slow)};
    auto layout = policy_.place_in_regions(problem, uses_in_root(problem.items.size()), usable);
    if (!layout.fits) {
      return broken<"regions_too_small">("the slow region of ", request_.regions.slow, " bytes is too small; ",
                                         layout.used.slow + request_.overread_bytes, " would be enough");
    }
    plan_.regions = usable;
    plan_.used = layout.used;
    const auto bytes = layout.used.fast + layout.used.slow;
    placed = {{std::move(layout.offsets), bytes}, layout.strategy, false};
    return check_count(problem, placed.offsets.size());
  }

  /// Returns the number of uses of each entry of the root, as an estimate of the memory traffic. Each operand and each output of a node is
  /// one use. Scratch and the memory of called graphs count as one use by their node.
  constexpr auto uses_in_root(std::size_t count) -> vector<std::uint32_t> {
    const auto& needs = scan_.needs();
    const auto first = needs.lifetimes.size() - count;
    vector<std::uint32_t> uses(count, 0);
    const auto use = [&](std::uint32_t entry) {
      if (entry != npos) ++uses[entry - first];
    };
    const auto nodes = program_.root().nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input != none<value_id>) use(needs.value_entries[index(input)]);
      }
      for (const auto output : program_.outputs_of(program_.nodes[n])) use(needs.value_entries[index(output)]);
      use(needs.scratch_entries[n]);
    }
    return uses;
  }

  /// Returns the lower bound of a graph's memory: the maximum number of bytes that are live at once. Called graphs are included with their
  /// lower bounds, not with their planned sizes.
  constexpr auto bound_of(graph_id id, std::uint32_t first) -> std::uint64_t {
    const auto& needs = scan_.needs();
    vector<lifetime> bounds(needs.lifetimes.begin() + first, needs.lifetimes.end());
    const auto nodes = program_[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto called = graphs_run_by(program_, program_.nodes[n], calls_.runs_original);
      if (called.empty() || needs.scratch_entries[n] == npos) continue;
      std::uint64_t bytes = 0;
      for (const auto inner : called) bytes = std::max(bytes, bounds_[index(inner)]);
      bounds[needs.scratch_entries[n] - first].bytes = bytes;
    }
    return lower_bound(bounds);
  }

  program_view program_;
  const graph_calls& calls_;
  memory_request request_;
  chosen_policy policy_;
  lifetime_scan scan_;
  vector<std::uint64_t> bytes_;   // indexed by graph: the size of its memory
  vector<std::uint64_t> bounds_;  // indexed by graph: the lower bound of its memory
  memory_plan plan_;
};

}  // namespace detail

/// Same as `plan_memory` in `plan/arena.hpp`, but receives the graphs that run and a `memory_request`. Also fails with `regions_too_small`
/// or `unsplit_policy`. If `request.order` is not null, the caller must set `steps` of the result.
constexpr auto plan_memory(const program_view& program, const graph_calls& calls, const plan_options& options, memory_request request,
                           const chosen_policy& policy = planned_by<memory_policies::no_overlap>{}) -> result<memory_plan> {
  if (!std::has_single_bit(options.alignment)) return broken<"uneven_alignment">("the alignment is ", options.alignment);
  if (program.graphs.empty()) return memory_plan{};
  storage_map storage_of_states;
  if (request.storage == nullptr) {
    if (calls.order.size() > 1) {
      storage_of_states = storage_map(program.values.size());
      add_storage_of_states(storage_of_states, program);
    }
    request.storage = &storage_of_states;
  }
  if (request.order != nullptr) return detail::memory_planner(program, calls, options, request, policy).run();
  auto program_order = make_schedule(program, calls).value;
  request.order = &program_order;
  auto planned = detail::memory_planner(program, calls, options, request, policy).run();
  add_copies(program_order, planned.value.needs.copies);
  planned.value.steps = std::move(program_order);
  return planned;
}

}  // namespace baton
