// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Forms parts from nodes that were assigned to devices, so that no part depends on itself through others.
#pragma once

#include <baton/core/program.hpp>
#include <baton/partition/costs.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace baton {

struct device_part {
  device_index on = 0;
  std::vector<node_id> nodes;  ///< from the last to the first
  std::uint64_t constant_bytes = 0;
};

namespace detail {

/// A node's level grows along every path from it whenever the path enters a part of another device or returns from the portable kernels.
/// Nodes of one device and one level form a part: an edge between two parts always goes to a lower level, so there is no cycle, also
/// through parts of other devices.
class device_levels {
 public:
  constexpr device_levels(const program_view& program, const std::vector<device_index>& devices, std::span<const std::uint64_t> capacities,
                          std::span<const std::uint64_t> constant_bytes)
      : program_(program),
        devices_(devices),
        capacities_(capacities),
        constant_bytes_(constant_bytes),
        needs_(capacities.size(), std::vector<std::uint32_t>(program.values.size(), 0)) {}

  constexpr void visit(graph_id id) {
    open_.assign(capacities_.size(), std::vector<std::uint32_t>{});
    const auto run = program_[id].nodes;
    for (std::uint32_t n = run.first + run.size; n-- > run.first;) visit_node(n);
  }
  constexpr auto take() -> std::vector<device_part> { return std::move(parts_); }

 private:
  static constexpr std::uint32_t no_part = 0xffffffffu;

  constexpr void visit_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto here = devices_[n];
    std::uint32_t level = 0;
    for (const auto output : program_.outputs_of(record)) level = std::max(level, needs_[here][index(output)]);
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id> && program_[input].kind == value_kind::intermediate) raise_needs(index(input), here, level);
    }
    if (here != 0) join_part(n, here, level);
  }

  // What uses of a value ask of its maker, by the maker's device: a part of another device lies one level up.
  constexpr void raise_needs(std::uint32_t value, device_index user, std::uint32_t level) {
    for (device_index maker = 0; maker < needs_.size(); ++maker) {
      const bool enters = user != 0 && maker != user;
      auto& need = needs_[maker][value];
      need = std::max(need, level + (enters ? 1u : 0u));
    }
  }

  constexpr void join_part(std::uint32_t n, device_index here, std::uint32_t level) {
    auto& open = open_[here];
    while (open.size() <= level) open.push_back(no_part);
    const bool is_full = open[level] != no_part && parts_[open[level]].constant_bytes + constant_bytes_[n] > capacities_[here];
    if (open[level] == no_part || is_full) {
      open[level] = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({here, {}, 0});
    }
    auto& part = parts_[open[level]];
    part.nodes.push_back(static_cast<node_id>(n));
    part.constant_bytes += constant_bytes_[n];
  }

  program_view program_;
  const std::vector<device_index>& devices_;
  std::span<const std::uint64_t> capacities_;
  std::span<const std::uint64_t> constant_bytes_;
  std::vector<std::vector<std::uint32_t>> needs_;  // by maker's device and value
  std::vector<std::vector<std::uint32_t>> open_;   // by device and level: the part that takes nodes
  std::vector<device_part> parts_;
};

}  // namespace detail

/// The parts of the nodes that stand on devices other than 0, graph by graph. A part that would use more bytes of constants than its
/// device's capacity is split along the order of nodes. Linear in nodes, operands and devices.
constexpr auto parts_on_devices(const program_view& program, const std::vector<device_index>& devices,
                                std::span<const std::uint64_t> capacities, std::span<const std::uint64_t> constant_bytes)
    -> std::vector<device_part> {
  detail::device_levels levels(program, devices, capacities, constant_bytes);
  const auto is_inside_delegate = detail::graphs_inside_delegates(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (is_inside_delegate[g] == 0) levels.visit(static_cast<graph_id>(g));
  }
  return levels.take();
}

}  // namespace baton
