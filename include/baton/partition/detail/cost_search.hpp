// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The search for a cheap assignment of nodes to devices (backends or the portable kernels).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/costs.hpp>
#include <baton/partition/detail/device_parts.hpp>
#include <baton/partition/detail/expansion_moves.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// An assignment of nodes to devices, with the parts and the total cost of the assignment. A part is the nodes of a graph that become one
/// delegate.
struct costed_assignment {
  vector<device_index> devices;
  vector<device_part> parts;
  cost_amount cost = 0;
};

namespace detail {

/// Returns the saving of each part. The saving is the increase of the total cost if only the nodes of this part move to the portable
/// kernels. The saving is negative if the part costs more than the same nodes on the portable kernels. O(nodes + (values + uses) * devices
/// + uses * log(uses)).
constexpr auto savings_of(const cost_table& table, const assignment_cost& costs, const device_index* devices, const part_former& former)
    -> vector<cost_amount> {
  const auto* const part_of = former.part_of();
  vector<cost_amount> saved;
  for (const auto& part : former.parts()) saved.push_back(-table.calls[part.on]);
  for (std::size_t n = 0; n < table.constant_bytes.size(); ++n) {
    if (part_of[n] != npos) saved[part_of[n]] += table.nodes[0][n] - table.nodes[devices[n]][n];
  }
  vector<std::uint32_t> users_on;  // indexed by device: the number of the current value's users on the device
  vector<std::uint32_t> parts;     // the parts of the current value's producer and users, sorted; `npos` for a node that is in no part
  for (const auto& value : costs.carried()) {
    const auto* const users = costs.users() + value.users.first;
    const auto producer_part = value.producer == npos ? npos : part_of[value.producer];
    const auto home = value.producer == npos ? device_index{0} : devices[value.producer];
    users_on.assign(table.devices(), 0);
    parts.assign(1, producer_part);
    for (std::uint32_t i = 0; i < value.users.size; ++i) {
      ++users_on[devices[users[i]]];
      parts.push_back(part_of[users[i]]);
    }
    sort(parts.begin(), parts.end());
    const auto current_cost = costs.carrying(value, home, [&](device_index d) { return users_on[d] != 0; });
    for (std::size_t first = 0, last = 0; first < parts.size() && parts[first] != npos; first = last) {
      const auto part = parts[first];
      while (last < parts.size() && parts[last] == part) ++last;
      // The number of users in this part. These users would move to the portable kernels (device 0).
      const auto own_users = static_cast<std::uint32_t>(last - first) - (part == producer_part ? 1u : 0u);
      const auto is_used = [&](device_index d) {
        return users_on[d] + (d == 0 ? own_users : 0u) != (d == former.parts()[part].on ? own_users : 0u);
      };
      saved[part] += costs.carrying(value, part == producer_part ? device_index{0} : home, is_used) - current_cost;
    }
  }
  return saved;
}

/// A search for a cheap assignment. The method depends on the costs:
/// - One backend without a cost per call: one minimum cut computes the optimum (H. S. Stone, Multiprocessor scheduling with
///   the aid of network flow algorithms, IEEE TSE SE-3, 1977).
/// - Several backends, or costs per call: the search has one start for each device. A start assigns all nodes that the device supports to
///   the device. From each start, the search tries an expansion move to each device in turn, until no move lowers the cost. An expansion
///   move to a device moves those nodes that together lower the cost most (`expansion_moves`).
/// - Costs per call: parts that cost more than they save also move back to the portable kernels. One minimum cut, with a vertex for each
///   part, selects all parts to move back. This step is repeated as long as the cost falls.
class cost_search {
 public:
  constexpr cost_search(const program_view& program, const cost_table& table, std::uint32_t min_nodes, std::uint32_t max_parts)
      : program_(program),
        table_(table),
        min_nodes_(min_nodes),
        max_parts_(max_parts),
        node_count_(program.nodes.size()),
        assignment_cost_(program, table),
        moves_(table, assignment_cost_),
        former_(program, table.capacities, table.constant_bytes),
        current_(node_count_),
        best_(node_count_),
        call_costs_(node_count_) {}

  constexpr auto run() -> costed_assignment {
    const auto starts = is_exact() ? device_index{1} : table_.devices();
    for (device_index all_on = 0; all_on < starts; ++all_on) {
      const auto cost = improve(all_on);
      if (all_on != 0 && cost >= best_cost_) continue;
      std::swap(current_, best_);
      best_cost_ = cost;
    }
    enforce_limits();
    return result();
  }

 private:
  constexpr auto is_exact() const -> bool { return table_.devices() == 2 && table_.calls[1] == 0; }
  constexpr auto has_call_costs() const -> bool {
    for (const auto call : table_.calls) {
      if (call != 0) return true;
    }
    return false;
  }

  /// Assigns all nodes that device `all_on` supports to this device, and improves the assignment by expansion moves. Stores the improved
  /// assignment in `current_` and returns its cost.
  constexpr auto improve(device_index all_on) -> cost_amount {
    auto* const current = current_.data();
    const auto* const costs = table_.nodes[all_on].data();
    for (std::size_t n = 0; n < node_count_; ++n) current[n] = costs[n] == cost_table::impossible ? device_index{0} : all_on;
    if (is_exact()) {
      moves_.move(current, 1);
      return 0;  // the caller does not compare the cost, because there is only one start
    }
    auto cost = cost_of(current);
    const auto devices = table_.devices();
    // Tries each device in turn. Stops if a move to each device has been tried since the last change. Also stops if the assignment equals
    // the best assignment of the earlier starts, because no move improves that assignment.
    for (device_index failed = 0, to = 0; failed < devices; to = static_cast<device_index>((to + 1) % devices)) {
      if (cost == best_cost_ && current_ == best_) return cost;
      ++failed;
      next_ = current_;
      auto* const next = next_.data();
      if (!moves_.move(next, to)) continue;
      const auto moved_cost = cost_of(next);
      const auto next_cost = move_expensive_parts_back(next, moved_cost);
      if (next_cost >= cost) continue;
      std::swap(current_, next_);
      cost = next_cost;
      failed = next_cost == moved_cost ? 1 : 0;  // if no part moved back, a second move to the same device changes nothing
    }
    return cost;
  }

  constexpr auto cost_of(const device_index* devices) -> cost_amount {
    auto cost = assignment_cost_.without_calls({devices, node_count_});
    if (!has_call_costs()) return cost;
    former_.form(devices);
    for (const auto& part : former_.parts()) cost += table_.calls[part.on];
    return cost;
  }

  /// Moves parts of the assignment `devices` back to the portable kernels as long as each move lowers the cost. `cost` is the cost of the
  /// assignment. Returns the cost after the moves. Requires that `former_` contains the parts of `devices`.
  constexpr auto move_expensive_parts_back(device_index* devices, cost_amount cost) -> cost_amount {
    while (has_call_costs()) {
      auto* const call_costs = call_costs_.data();
      std::size_t at = 0;
      for (const auto& part : former_.parts()) call_costs[at++] = table_.calls[part.on];
      kept_.assign(devices, devices + node_count_);
      if (!moves_.move(devices, 0, former_.part_of(), call_costs)) return cost;
      const auto moved_cost = cost_of(devices);
      if (moved_cost >= cost) {
        std::copy(kept_.begin(), kept_.end(), devices);
        return cost;
      }
      cost = moved_cost;
    }
    return cost;
  }

  /// Enforces `min_nodes_` and `max_parts_`. Each step moves a quarter (rounded up) of the parts with fewer than `min_nodes_` nodes to the
  /// portable kernels. If there is no such part, a step moves `(parts - max_parts_) / 4` parts, rounded up. The parts are formed again
  /// before each step. The parts that save the least are moved first.
  constexpr void enforce_limits() {
    if (min_nodes_ <= 1 && max_parts_ >= node_count_) return;
    for (;;) {
      former_.form(best_.data());
      const auto parts = former_.parts();
      vector<std::uint32_t> candidates;
      for (std::uint32_t p = 0; p < parts.size(); ++p) {
        if (parts[p].size < min_nodes_) candidates.push_back(p);
      }
      const bool is_too_small = !candidates.empty();
      for (std::uint32_t p = 0; p < parts.size() && !is_too_small && parts.size() > max_parts_; ++p) candidates.push_back(p);
      if (candidates.empty()) return;
      const auto excess = is_too_small ? candidates.size() : parts.size() - max_parts_;
      const auto saved = savings_of(table_, assignment_cost_, best_.data(), former_);
      sort(candidates.begin(), candidates.end(),
           [&saved](std::uint32_t a, std::uint32_t b) { return saved[a] != saved[b] ? saved[a] < saved[b] : a < b; });
      candidates.resize((excess + 3) / 4, 0);
      move_to_kernels(candidates);
    }
  }
  constexpr void move_to_kernels(const vector<std::uint32_t>& parts) {
    vector<char> is_moved(former_.parts().size(), 0);
    for (const auto part : parts) is_moved[part] = 1;
    for (std::size_t n = 0; n < node_count_; ++n) {
      const auto part = former_.part_of()[n];
      if (part != npos && is_moved[part] != 0) best_.data()[n] = 0;
    }
  }

  constexpr auto result() -> costed_assignment {
    costed_assignment assignment;
    assignment.devices.assign(best_.data(), best_.data() + node_count_);
    assignment.parts = parts_on_devices(program_, assignment.devices, table_.capacities, table_.constant_bytes);
    assignment.cost = assignment_cost_.without_calls(assignment.devices);
    for (const auto& part : assignment.parts) assignment.cost += table_.calls[part.on];
    return assignment;
  }

  program_view program_;
  const cost_table& table_;
  std::uint32_t min_nodes_;
  std::uint32_t max_parts_;
  std::size_t node_count_;
  assignment_cost assignment_cost_;
  expansion_moves moves_;
  part_former former_;
  vector<device_index> current_;
  vector<device_index> next_;
  vector<device_index> best_;
  vector<device_index> kept_;
  vector<cost_amount> call_costs_;  // indexed by part: the cost of the part's call
  cost_amount best_cost_ = 0;
};

}  // namespace detail

}  // namespace baton
