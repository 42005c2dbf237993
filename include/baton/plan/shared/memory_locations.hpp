// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The locations of values at run time, across calls of graphs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/shared/end_copies.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/memory_base.hpp>
#include <baton/plan/storage_map.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// The location of a value. If `data` is not `none`, the location is the data of this constant. Otherwise, it is `offset` bytes after the
/// beginning of `base`. If `base` is `memory_base::graph`, the offset is relative to the memory of the value's graph. In that case, a
/// negative offset is in the memory of a calling graph. If `is_bound` is set, the value is in a buffer of the caller, and this location
/// contains the address of the buffer.
struct memory_location {
  std::int64_t offset = 0;
  value_id data = none<value_id>;
  memory_base base = memory_base::graph;
  bool is_bound = false;

  constexpr auto is_constant() const -> bool { return data != none<value_id>; }
  /// True if `offset` is relative to the memory of the graph.
  constexpr auto is_in_graph() const -> bool { return !is_constant() && !is_bound && base == memory_base::graph; }
  auto operator==(const memory_location&) const -> bool = default;
};

/// Returns the location of `offset`, which is relative to the memory of `graph`. If `graph` is the root and the arena is split, the
/// location is in the fast or the slow region.
constexpr auto location_in(const memory_plan& plan, graph_id graph, std::uint64_t offset) -> memory_location {
  if (!plan.is_split(graph)) return {static_cast<std::int64_t>(offset)};
  if (offset < plan.regions.fast) return {static_cast<std::int64_t>(offset), none<value_id>, memory_base::fast_region};
  return {static_cast<std::int64_t>(offset - plan.regions.fast), none<value_id>, memory_base::slow_region};
}

/// Returns the location of the scratch of node `node` of the program. The kernel, the delegate or the called graphs of the node use this
/// scratch. Returns a location with offset 0 if the node has no scratch.
constexpr auto location_of_scratch(const program_view& program, const memory_plan& plan, std::uint32_t node) -> memory_location {
  const auto offset = plan.offset_of_scratch(node);
  if (offset == npos) return {};
  const auto root = program.root().nodes;
  const bool is_of_root = root.first <= node && node - root.first < root.size;
  return is_of_root ? location_in(plan, graph_id{0}, offset) : memory_location{static_cast<std::int64_t>(offset)};
}

/// Converts `inner`, which is relative to the memory of a called graph, to a location relative to the memory of the calling graph. `called`
/// is the location of the called graph's memory in the calling graph.
constexpr auto relative_to_caller(memory_location inner, const memory_location& called) -> memory_location {
  if (inner.is_constant() || inner.base != memory_base::graph) return inner;
  return {inner.offset + called.offset, none<value_id>, called.base, inner.is_bound};
}
/// The inverse of `relative_to_caller`. Converts `outer`, which is relative to the memory of the calling graph, to a location relative to
/// the memory of the called graph.
constexpr auto relative_to_called(memory_location outer, const memory_location& called) -> memory_location {
  if (!outer.is_constant() && outer.base == memory_base::graph) outer.offset -= called.offset;
  return outer;
}

/// A copy at the end of `graph`. Locations are relative to the memory of `graph`.
struct copy_locations {
  node_id call = none<node_id>;  ///< the node that called the graph; `none` for the root
  graph_id graph = none<graph_id>;
  memory_location from;
  memory_location to;
  std::uint64_t bytes = 0;
  /// True if the copy writes the result of one iteration of a loop into a value that contains the results of all iterations. Then `to` is
  /// the location of the first iteration's result.
  bool is_iteration_part = false;
};

namespace detail {

class location_finder {
 public:
  constexpr location_finder(const program_view& program, const graph_calls& calls, const storage_map& map, const memory_plan& plan)
      : program_(program),
        calls_(calls),
        map_(map),
        plan_(plan) {}

  constexpr auto run() const -> vector<memory_location> {
    vector<memory_location> locations(program_.values.size(), memory_location{});
    for (std::uint32_t v = 0; v < locations.size(); ++v) {
      if (calls_.runs(program_.values[v].graph)) locations[v] = find(static_cast<value_id>(v));
    }
    return locations;
  }

 private:
  constexpr auto find(value_id id) const -> memory_location {
    if (plan_.needs.is_nested(id))
      return location_in(plan_, program_[id].graph, plan_.offset_of(id));  // only values of the root graph are nested
    if (!map_.is_own(id)) id = map_.root_of(id).value;
    const auto& record = program_[id];
    if (!needs_memory(record)) return {0, id};
    const auto at = map_[id];
    if (at.in == container::bound) {
      auto location = location_in(plan_, graph_id{0}, plan_.offset_of_addresses() + at.offset);
      location.is_bound = true;
      return location;
    }
    if (at.why == storage_reason::from_caller) return relative_to_called(find(static_cast<value_id>(at.id)), begin_in_caller(record.graph));
    const auto planned = plan_.offset_of(id);
    const auto offset = planned == npos ? 0 : planned;
    if (!is_state(record)) return location_in(plan_, record.graph, offset);
    auto location = location_in(plan_, graph_id{0}, offset);
    for (auto g = record.graph; index(g) != 0; g = calls_.outer[index(g)]) location = relative_to_called(location, begin_in_caller(g));
    return location;
  }

  constexpr auto begin_in_caller(graph_id id) const -> memory_location {
    return location_of_scratch(program_, plan_, index(calls_.caller[index(id)]));
  }

  program_view program_;
  const graph_calls& calls_;
  const storage_map& map_;
  const memory_plan& plan_;
};

}  // namespace detail

/// Returns the mutable buffers of the graphs that run, sorted by id.
constexpr auto states_of(const program_view& program, const graph_calls& calls) -> vector<value_id> {
  vector<value_id> states;
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    const auto& record = program.values[v];
    if (record.kind == value_kind::mutable_buffer && calls.runs(record.graph)) states.push_back(static_cast<value_id>(v));
  }
  return states;
}

/// Returns the copies of a memory plan with their locations, in the plan's order. `locations` is the result of `locations_of`.
constexpr auto locations_of_copies(const program_view& program, const memory_plan& plan, span<const memory_location> locations)
    -> vector<copy_locations> {
  vector<copy_locations> result;
  const auto& copies = plan.needs.copies;
  result.reserve(copies.size());
  for (const auto& copy : copies) {
    const auto location_of = [&](value_id id) {
      const auto& location = locations[index(id)];
      if (program[id].graph == copy.graph || location.is_constant()) return location;
      return relative_to_called(location, location_of_scratch(program, plan, index(copy.call)));  // a value of the calling graph
    };
    const auto location_of_copy = [&](const planned_copy& planned) {
      if (planned.to != none<value_id>) return location_of(planned.to);
      return location_in(plan, planned.graph, plan.offset_of(planned));
    };
    copy_locations located{copy.call, copy.graph, {}, location_of_copy(copy), copy.bytes, copy.is_iteration_part};
    located.from = copy.saved_by == npos ? location_of(copy.from) : location_of_copy(copies[copy.saved_by]);
    result.push_back(located);
  }
  return result;
}

/// Returns the location of each user output of the root after a run. If a copy saves the output before a mutable buffer is overwritten, the
/// result is the location of the saved copy. If no copy saves it, the result is the location of the value.
constexpr auto locations_of_outputs(const program_view& program, const memory_plan& plan, span<const memory_location> locations)
    -> vector<memory_location> {
  vector<memory_location> outputs;
  for (const auto id : user_outputs_of(program, graph_id{0})) {
    auto location = locations[index(id)];
    for (const auto& copy : plan.needs.copies) {
      if (copy.reason != copy_reason::old_output || plan.needs.value_entries[index(copy.from)] != plan.needs.value_entries[index(id)])
        continue;
      location = location_in(plan, graph_id{0}, plan.offset_of(copy));
    }
    outputs.push_back(location);
  }
  return outputs;
}

/// Returns the location of each value. The locations of values in graphs that do not run are unspecified.
constexpr auto locations_of(const program_view& program, const graph_calls& calls, const storage_map& map, const memory_plan& plan)
    -> vector<memory_location> {
  return detail::location_finder(program, calls, map, plan).run();
}

}  // namespace baton
