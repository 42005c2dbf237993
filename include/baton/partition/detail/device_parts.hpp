// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Forms parts from nodes that were assigned to devices, so that no part depends on itself through others.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/work_array.hpp>
#include <baton/partition/costs.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// A part of an assignment: its device (0: the portable kernels), its nodes, and the bytes of their constants.
struct device_part {
  device_index on = 0;
  vector<node_id> nodes;  ///< from the last to the first
  std::uint64_t constant_bytes = 0;
};

namespace detail {

/// A node's level grows along every path from it whenever the path enters a part of another device or returns from the portable kernels.
/// Nodes of one device and one level form a part: an edge between two parts always goes to a lower level, so there is no cycle, also
/// through parts of other devices. Made once for a program, used for many assignments.
class part_former {
 public:
  static constexpr std::uint32_t no_part = 0xffffffffu;
  struct part {
    device_index on;
    std::uint32_t size;
    std::uint64_t constant_bytes;
  };

  constexpr part_former(const program_view& program, std::span<const std::uint64_t> capacities,
                        std::span<const std::uint64_t> constant_bytes)
      : program_(program),
        capacities_(capacities),
        constant_bytes_(constant_bytes),
        graphs_(visible_graphs(program)),
        uses_(program.values.size() * capacities.size()),
        part_of_(program.nodes.size()),
        parts_(program.nodes.size()) {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) part_of_.items[n] = no_part;
  }

  constexpr void form(const device_index* devices) {
    devices_ = devices;
    part_count_ = 0;
    for (const auto id : graphs_) {
      open_.clear();
      const auto run = program_[id].nodes;
      for (std::uint32_t n = run.first + run.size; n-- > run.first;) visit_node(n);
    }
  }

  constexpr auto parts() const -> std::span<const part> { return {parts_.items, part_count_}; }
  /// By node: its part, or `no_part`.
  constexpr auto part_of() const -> const std::uint32_t* { return part_of_.items; }

 private:
  constexpr void visit_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto* const operands = program_.operands.data();
    const auto devices = static_cast<std::uint32_t>(capacities_.size());
    auto* const uses = uses_.items;
    const auto here = devices_[n];
    std::uint32_t level = 0;
    for (auto o = record.outputs.first; o < record.outputs.first + record.outputs.size; ++o) {
      auto* const use = uses + static_cast<std::uint32_t>(operands[o]) * std::size_t{devices};
      for (device_index user = 0; user < devices; ++user) {
        if (use[user] == 0) continue;
        // Where the user is in a part of another device, this node lies one level up.
        level = std::max(level, use[user] - (user == 0 || user == here ? 1u : 0u));
        use[user] = 0;  // clean for the next assignment
      }
    }
    for (auto i = record.inputs.first; i < record.inputs.first + record.inputs.size; ++i) {
      if (operands[i] == none<value_id> || program_[operands[i]].kind != value_kind::intermediate) continue;
      auto& use = uses[static_cast<std::uint32_t>(operands[i]) * std::size_t{devices} + here];
      use = std::max(use, level + 1);
    }
    part_of_.items[n] = here == 0 ? no_part : join_part(n, level * devices + here);
  }

  constexpr auto join_part(std::uint32_t n, std::uint32_t place) -> std::uint32_t {
    while (open_.size() <= place) open_.push_back(no_part);
    auto& open = open_[place];
    auto* const parts = parts_.items;
    const auto bytes = constant_bytes_[n];
    if (open == no_part || parts[open].constant_bytes + bytes > capacities_[devices_[n]]) {
      open = part_count_++;
      parts[open] = {devices_[n], 0, 0};
    }
    parts[open].size += 1;
    parts[open].constant_bytes += bytes;
    return open;
  }

  program_view program_;
  std::span<const std::uint64_t> capacities_;
  std::span<const std::uint64_t> constant_bytes_;
  vector<graph_id> graphs_;
  const device_index* devices_ = nullptr;
  work_array<std::uint32_t> uses_;  // by value and user's device: 1 + the user's level
  vector<std::uint32_t> open_;      // by level and device: the part that takes nodes
  work_array<std::uint32_t> part_of_;
  work_array<part> parts_;
  std::uint32_t part_count_ = 0;
};

}  // namespace detail

/// The parts of the nodes that stand on devices other than 0, graph by graph. A part that would use more bytes of constants than its
/// device's capacity is split along the order of nodes. Linear in nodes, operands and devices.
constexpr auto parts_on_devices(const program_view& program, std::span<const device_index> devices,
                                std::span<const std::uint64_t> capacities, std::span<const std::uint64_t> constant_bytes)
    -> vector<device_part> {
  detail::part_former former(program, capacities, constant_bytes);
  former.form(devices.data());
  vector<device_part> parts;
  parts.reserve(former.parts().size());
  for (const auto& formed : former.parts()) {
    parts.push_back({formed.on, {}, formed.constant_bytes});
    parts.back().nodes.reserve(formed.size);
  }
  for (std::uint32_t n = static_cast<std::uint32_t>(devices.size()); n-- > 0;) {
    if (const auto part = former.part_of()[n]; part != former.no_part) parts[part].nodes.push_back(static_cast<node_id>(n));
  }
  return parts;
}

}  // namespace baton
