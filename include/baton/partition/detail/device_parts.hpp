// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes the parts of an assignment of nodes to devices. No part depends on itself through nodes outside the part. A part is the nodes of
// a graph that become one delegate.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/work_array.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// The index of a device to which a node is assigned. Device 0 is the portable kernels (the kernels of nodes that are not delegated). The
/// index of a backend is 1 + its position in the list of backends.
using device_index = std::uint8_t;

/// A part of an assignment: the device, the nodes, and the size of the constants of these nodes in bytes.
struct device_part {
  device_index on = 0;
  vector<node_id> nodes;  ///< in descending order
  std::uint64_t constant_bytes = 0;
};

namespace detail {

/// The computation of the parts of an assignment. One object serves many assignments of the same program. A device is a backend or the
/// portable kernels. A backend entry is an edge that leads to a backend from another device. The level of a node is the maximum number of
/// backend entries on a path that starts at the node. The nodes of a graph on the same backend and with the same level form a part. An edge
/// between parts of different levels always leads to the lower level. If a capacity splits a part, edges between the pieces follow the node
/// order. So there is no cycle, not even through parts of several devices.
///
/// With one backend and no capacity, the number of parts is minimal. A path that leaves the backend and returns k times needs k + 1 parts.
/// The parts are identical to the parts of ExecuTorch's capability partitioner, which merges sets of nodes greedily. If all `needs` (see
/// the constructor) are 1, the part ids are also identical. Of two merged sets, ExecuTorch keeps the id of the larger set, or of the newer
/// set if their sizes are equal. A follower (`with_followers`) is in the part of its leader, which is on the same device. Only the edge
/// from the leader leads to the follower, so this edge is not a backend entry.
class part_former {
 public:
  struct part {
    device_index on;
    std::uint32_t size;
    std::uint64_t need;  ///< the sum of the needs of the nodes and placeholders in the part
    std::uint32_t id;
  };

  /// `needs`, indexed by node, is the amount that each node adds to the need of its part, such as the size of the node's constants.
  /// `capacities`, indexed by device, limits the need of a part. `leader_of` is `node_choice::leader_of`, or empty if there are no
  /// followers. `is_placeholder_chosen`, indexed by value, is 1 if the value joins a part of device 1. Each such value has a need of 1.
  /// `is_placeholder_chosen` is empty if no value joins a part.
  constexpr part_former(const program_view& program, span<const std::uint64_t> capacities, span<const std::uint64_t> needs,
                        span<const node_id> leader_of = {}, span<const char> is_placeholder_chosen = {})
      : program_(program),
        capacities_(capacities),
        needs_(needs),
        leader_of_(leader_of),
        is_placeholder_chosen_(is_placeholder_chosen),
        graphs_(visible_graphs(program)),
        uses_(program.values.size() * capacities.size()),
        part_of_(program.nodes.size()),
        parts_(program.nodes.size() + is_placeholder_chosen.size()) {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) part_of_.items[n] = npos;
    vector<edge> order;
    for (const auto id : graphs_) {
      const auto first = program[id].nodes.first;
      for (const auto& [before, after] : state_order(program, program[id])) order.emplace_back(first + before, first + after);
    }
    if (order.empty()) return;
    after_in_state_order_ = {order, program.nodes.size()};
    levels_.resize(program.nodes.size(), 0);
  }

  /// Computes the parts of the assignment `devices`, which is indexed by node.
  constexpr void form(const device_index* devices) {
    devices_ = devices;
    part_count_ = 0;
    next_id_ = 0;
    placeholders_.clear();
    for (const auto id : graphs_) {
      open_.clear();
      const auto nodes = program_[id].nodes;
      for (std::uint32_t n = nodes.first + nodes.size; n-- > nodes.first;) visit_node(n);
      if (!is_placeholder_chosen_.empty()) visit_placeholders(program_[id]);
      for (auto n = nodes.first; !leader_of_.empty() && n < nodes.first + nodes.size; ++n)
        part_of_.items[n] = part_of_.items[index(leader_of_[n])];
    }
  }

  constexpr auto parts() const -> span<const part> { return {parts_.items, part_count_}; }
  /// Returns the part of each node, as an index into `parts()`. The part is `npos` if the node is in no part.
  constexpr auto part_of() const -> const std::uint32_t* { return part_of_.items; }
  /// Returns pairs of a placeholder and the index of its part. Within a graph, the placeholders are in reverse order.
  constexpr auto placeholders() const -> const vector<std::pair<value_id, std::uint32_t>>& { return placeholders_; }

 private:
  /// Returns the maximum of `level` and the level that the users of a value require of the producer. The producer is on device `here`.
  /// `use[d]` is 1 + the maximum level of the users on device `d`, or 0 if the device has no users. Resets `use` to 0 for the next
  /// assignment.
  static constexpr auto producer_level(std::uint32_t level, std::uint32_t* use, std::uint32_t devices, device_index here) -> std::uint32_t {
    for (device_index user = 0; user < devices; ++user) {
      if (use[user] == 0) continue;
      // An edge to a user on a backend other than `here` is a backend entry. Then the producer is one level higher than the user.
      level = std::max(level, use[user] - (user == 0 || user == here ? 1u : 0u));
      use[user] = 0;
    }
    return level;
  }

  /// Returns the minimum level that the order of accesses to states (`state_order`) requires of node `n` on device `here`. A state is a
  /// buffer that keeps its value from run to run. The levels of the nodes that must run after `n` are already known.
  constexpr auto level_by_states(std::uint32_t n, device_index here) const -> std::uint32_t {
    std::uint32_t level = 0;
    for (const auto after : after_in_state_order_[n]) {
      const auto device = devices_[after];
      level = std::max(level, levels_[after] + (device == 0 || device == here ? 0u : 1u));
    }
    return level;
  }

  constexpr void visit_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto* const operands = program_.operands.data();
    const auto devices = static_cast<std::uint32_t>(capacities_.size());
    auto* const uses = uses_.items;
    const auto here = devices_[n];
    std::uint32_t level = 0;
    for (auto o = record.outputs.first; o < record.outputs.first + record.outputs.size; ++o)
      level = producer_level(level, uses + static_cast<std::uint32_t>(operands[o]) * std::size_t{devices}, devices, here);
    if (!levels_.empty()) {
      level = std::max(level, level_by_states(n, here));
      levels_[n] = level;
    }
    const bool are_all_used = !is_placeholder_chosen_.empty();
    for (auto i = record.inputs.first; i < record.inputs.first + record.inputs.size; ++i) {
      if (operands[i] == none<value_id> || !(are_all_used || program_[operands[i]].kind == value_kind::intermediate)) continue;
      auto& use = uses[static_cast<std::uint32_t>(operands[i]) * std::size_t{devices} + here];
      use = std::max(use, level + 1);
    }
    const bool is_joining = here != 0 && (leader_of_.empty() || index(leader_of_[n]) == n);
    part_of_.items[n] = is_joining ? join_part(here, level * devices + here, needs_[n]) : npos;
  }

  // Nodes are visited from last to first. Placeholders precede all nodes, so they are visited last.
  constexpr void visit_placeholders(const graph& scope) {
    const auto inputs = program_.inputs(scope);
    const auto devices = static_cast<std::uint32_t>(capacities_.size());
    for (std::size_t i = inputs.size(); i-- > 0;) {
      if (is_placeholder_chosen_[index(inputs[i])] == 0) continue;
      const auto level = producer_level(0, uses_.items + index(inputs[i]) * std::size_t{devices}, devices, 1);
      placeholders_.emplace_back(inputs[i], join_part(1, level * devices + 1, 1));
    }
  }

  constexpr auto join_part(device_index on, std::uint32_t position, std::uint64_t need) -> std::uint32_t {
    while (open_.size() <= position) open_.push_back(npos);
    auto& open = open_[position];
    auto* const parts = parts_.items;
    if (open == npos || parts[open].need + need > capacities_[on]) {
      open = part_count_++;
      parts[open] = {on, 0, 0, 0};
    }
    if (parts[open].need < 2) parts[open].id = next_id_;
    ++next_id_;
    parts[open].size += 1;
    parts[open].need += need;
    return open;
  }

  program_view program_;
  span<const std::uint64_t> capacities_;
  span<const std::uint64_t> needs_;
  span<const node_id> leader_of_;
  span<const char> is_placeholder_chosen_;
  vector<graph_id> graphs_;
  const device_index* devices_ = nullptr;
  work_array<std::uint32_t> uses_;  // indexed by value and device: 1 + the maximum level of the users on the device; 0 if there are none
  vector<std::uint32_t> open_;      // indexed by level and device: the part that new nodes join
  work_array<std::uint32_t> part_of_;
  work_array<part> parts_;
  std::uint32_t part_count_ = 0;
  std::uint32_t next_id_ = 0;
  vector<std::pair<value_id, std::uint32_t>> placeholders_;
  adjacency after_in_state_order_;  // indexed by node: the nodes that must run after the node; empty if no node writes a state in place
  vector<std::uint32_t> levels_;    // indexed by node; empty if `after_in_state_order_` is empty
};

}  // namespace detail

/// Returns the parts of the nodes that are not on device 0, graph by graph. `capacities` is the maximum size of the constants of one part
/// in bytes, indexed by device. `bytes_of_constants` is indexed by node. If the constants of a part exceed the capacity of its device, the
/// part is split along the node order. O(operands + (nodes + values) * devices) if there are few mutable buffers.
constexpr auto parts_on_devices(const program_view& program, span<const device_index> devices, span<const std::uint64_t> capacities,
                                span<const std::uint64_t> bytes_of_constants) -> vector<device_part> {
  detail::part_former former(program, capacities, bytes_of_constants);
  former.form(devices.data());
  vector<device_part> parts;
  parts.reserve(former.parts().size());
  for (const auto& formed : former.parts()) {
    parts.push_back({formed.on, {}, formed.need});
    parts.back().nodes.reserve(formed.size);
  }
  for (std::uint32_t n = static_cast<std::uint32_t>(devices.size()); n-- > 0;) {
    if (const auto part = former.part_of()[n]; part != npos) parts[part].nodes.push_back(static_cast<node_id>(n));
  }
  return parts;
}

}  // namespace baton
