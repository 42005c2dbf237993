// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Selects the set of nodes whose move to a given device reduces the cost most.
#pragma once

#include <baton/core/shared/work_array.hpp>
#include <baton/core/span.hpp>
#include <baton/graph/minimum_cut.hpp>
#include <baton/partition/detail/costs.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A computation of expansion moves. In an expansion move, each node (or group of nodes) either stays on its device or moves to one given
/// device. One minimum cut finds the set of nodes whose move leads to the lowest cost (Y. Boykov, O. Veksler, R. Zabih, Fast approximate
/// energy minimization via graph cuts, IEEE TPAMI 23, 2001). Each node or group that can move is a vertex of the network. Vertices on the
/// source side stay; vertices on the sink side move. If several sets lead to the lowest cost, the smallest of these sets moves.
class expansion_moves {
 public:
  constexpr expansion_moves(const cost_table& table, const assignment_cost& costs)
      : table_(table),
        assignment_cost_(costs),
        node_count_(table.constant_bytes.size()),
        network_(node_count_ + ties_per_value() * costs.carried().size(), ties_per_value() * (costs.carried().size() + costs.use_count())),
        vertices_(node_count_),
        group_vertices_(node_count_),
        others_(costs.use_count()) {}

  /// Updates `assignment` by the cheapest expansion move to device `to`. Returns whether any node moved. If `group_of` is not null,
  /// the nodes of a group move together. A group moves only if device `to` supports all nodes of the group. The move of group `g` saves an
  /// additional `saved[g]`. Nodes without a group (`npos`) stay.
  constexpr auto move(device_index* assignment, device_index to, const std::uint32_t* group_of = nullptr,
                      const cost_amount* saved = nullptr) -> bool {
    assignment_ = assignment;
    to_ = to;
    network_.clear();
    if (!(group_of == nullptr ? add_nodes() : add_groups(group_of, saved))) return false;
    for (const auto& value : assignment_cost_.carried()) add_value(value);
    network_.solve();
    bool has_moved = false;
    for (std::size_t n = 0; n < node_count_; ++n) {
      if (vertices_.items[n] >= moved || !network_.is_on_sink_side(vertices_.items[n])) continue;
      assignment[n] = to;
      has_moved = true;
    }
    return has_moved;
  }

 private:
  // Values of `vertices_` for nodes that cannot move and therefore have no vertex: `moved` if the node is already on device `to_`, else
  // `stayed`.
  static constexpr std::uint32_t stayed = 0xffffffffu;
  static constexpr std::uint32_t moved = 0xfffffffeu;
  // All amounts in the network are doubled, so that half of a cost is an integer.
  static constexpr cost_amount doubled = 2;

  /// The maximum number of calls of `add_tie` for a value.
  constexpr auto ties_per_value() const -> std::size_t { return 2 * (static_cast<std::size_t>(table_.devices()) - 1); }

  /// Adds a vertex for each node that can move. Returns whether any node can move.
  constexpr auto add_nodes() -> bool {
    bool has_choice = false;
    const auto* const table = table_.nodes.data();
    const auto* const there = table[to_].data();
    for (std::size_t n = 0; n < node_count_; ++n) {
      auto& vertex = vertices_.items[n];
      vertex = assignment_[n] == to_ ? moved : stayed;
      if (vertex == moved || there[n] == cost_table::impossible) continue;
      vertex = network_.add_vertex(doubled * (there[n] - table[assignment_[n]][n]));
      has_choice = true;
    }
    return has_choice;
  }
  constexpr auto add_groups(const std::uint32_t* group_of, const cost_amount* saved) -> bool {
    const auto* const table = table_.nodes.data();
    std::uint32_t groups = 0;
    for (std::size_t n = 0; n < node_count_; ++n) {
      vertices_.items[n] = assignment_[n] == to_ ? moved : stayed;
      if (group_of[n] == npos) continue;
      for (; groups <= group_of[n]; ++groups) group_vertices_.items[groups] = network_.add_vertex(-doubled * saved[groups]);
      if (assignment_[n] == to_) continue;
      vertices_.items[n] = group_vertices_.items[group_of[n]];
      const auto there = table[to_][n];
      network_.add_excess(vertices_.items[n],
                          there == cost_table::impossible ? minimum_cut::unlimited / 1024 : doubled * (there - table[assignment_[n]][n]));
    }
    return groups != 0;
  }

  /// Collects each user of a value if `is_included` returns true for the device of the user. Stores in `others_` the vertices of the
  /// collected users that can move. If a collected user cannot move, sets `has_moved_` if the user is on `to_` already, else `has_stayed_`.
  /// Returns whether all users were collected.
  template <class IsIncluded>
  constexpr auto collect_users(const carried_value& value, IsIncluded is_included) -> bool {
    const auto* const user = assignment_cost_.users() + value.users.first;
    other_count_ = 0;
    has_stayed_ = has_moved_ = false;
    bool are_all = true;
    for (std::uint32_t i = 0; i < value.users.size; ++i) {
      if (!is_included(assignment_[user[i]])) {
        are_all = false;
        continue;
      }
      const auto vertex = vertices_.items[user[i]];
      if (vertex < moved) others_.items[other_count_++] = vertex;
      has_stayed_ = has_stayed_ || vertex == stayed;
      has_moved_ = has_moved_ || vertex == moved;
    }
    return are_all;
  }

  /// Adds the cost of carrying a value between devices (across a boundary). The cut includes this cost if and only if the value crosses a
  /// boundary.
  constexpr void add_value(const carried_value& value) {
    const bool is_input = value.producer == npos;
    const auto home = is_input ? device_index{0} : assignment_[value.producer];
    const auto producer = is_input ? stayed : vertices_.items[value.producer];
    const auto* const costs = table_.values.data();
    collect_users(value, [](device_index) { return true; });
    if (are_users_at(value, home) && producer != moved && producer != stayed && !value.is_returned && !is_any_fixed()) {
      // The producer and all users are on the same device, and each of these nodes can move. No cost applies if all of these nodes stay, or
      // if all of them move.
      add_separation(producer, doubled * (costs[to_][value.value] + costs[home][value.value]));
      return;
    }
    const auto here = doubled * costs[to_][value.value];
    if (here != 0) {
      add_tie(here, producer, stayed);  // the value enters device `to_`: the producer is elsewhere, a user is there
      has_stayed_ = has_stayed_ || value.is_returned;
      add_tie(here, producer, moved);  // the value leaves device `to_`: the producer is there, a user is elsewhere
    }
    for (device_index other = 1; other < table_.devices(); ++other) {
      const auto there = doubled * costs[other][value.value];
      if (other == to_ || there == 0) continue;
      const bool are_all_there = collect_users(value, [&](device_index on) { return on == other; });
      const bool is_produced_there = !is_input && home == other;
      add_tie(there, is_produced_there ? producer : moved, moved);  // the value enters device `other`
      has_moved_ = has_moved_ || !are_all_there || value.is_returned;
      if (is_produced_there) add_tie(there, producer, stayed);  // the value leaves device `other`
    }
  }

  constexpr auto are_users_at(const carried_value& value, device_index home) const -> bool {
    const auto* const user = assignment_cost_.users() + value.users.first;
    for (std::uint32_t i = 0; i < value.users.size; ++i) {
      if (assignment_[user[i]] != home) return false;
    }
    return true;
  }

  constexpr auto is_any_fixed() const -> bool { return has_stayed_ || has_moved_; }

  /// Adds a cost that applies if vertex `one` is on `side` and at least one of the others is not. `side` is `stayed` or `moved`. `one` may
  /// also be `stayed` or `moved`, for a node whose side is fixed. The others are the vertices of `others_` and nodes on fixed sides
  /// (`has_stayed_`, `has_moved_`).
  constexpr void add_tie(cost_amount cost, std::uint32_t one, std::uint32_t side) {
    const auto sign = side == stayed ? 1 : -1;
    const bool is_other_away = side == stayed ? has_moved_ : has_stayed_;
    if (one >= moved && one != side) return;
    if (is_other_away) {
      if (one < moved) network_.add_excess(one, -sign * cost);
    } else if (other_count_ == 1 && one < moved) {
      add_edge(one, others_.items[0], cost, side);
    } else if (other_count_ == 1) {
      network_.add_excess(others_.items[0], sign * cost);
    } else if (other_count_ > 1) {
      const auto any = network_.add_vertex(one < moved ? 0 : sign * cost);
      if (one < moved) add_edge(one, any, cost, side);
      for (std::uint32_t i = 0; i < other_count_; ++i) add_edge(any, others_.items[i], minimum_cut::unlimited, side);
    }
  }
  constexpr void add_edge(std::uint32_t from, std::uint32_t to, cost_amount cost, std::uint32_t side) {
    network_.add_edge(from, to, side == stayed ? cost : 0, side == stayed ? 0 : cost);
  }

  /// Adds a cost that applies if vertex `one` and the vertices of `others_` are not all on the same side. If there are two others, each
  /// pair of the three vertices gets an edge with half of the cost. This is exact, because a cut separates either no pair or two of the
  /// pairs.
  constexpr void add_separation(std::uint32_t one, cost_amount cost) {
    const auto* const others = others_.items;
    if (other_count_ == 1) {
      network_.add_edge(one, others[0], cost, cost);
    } else if (other_count_ == 2) {
      network_.add_edge(one, others[0], cost / doubled, cost / doubled);
      network_.add_edge(one, others[1], cost / doubled, cost / doubled);
      network_.add_edge(others[0], others[1], cost / doubled, cost / doubled);
    } else {
      add_tie(cost, one, stayed);
      add_tie(cost, one, moved);
    }
  }

  const cost_table& table_;
  const assignment_cost& assignment_cost_;
  std::size_t node_count_;
  minimum_cut network_;
  work_array<std::uint32_t> vertices_;  // indexed by node
  work_array<std::uint32_t> group_vertices_;
  work_array<std::uint32_t> others_;
  const device_index* assignment_ = nullptr;
  device_index to_ = 0;
  std::uint32_t other_count_ = 0;
  bool has_stayed_ = false;
  bool has_moved_ = false;
};

}  // namespace baton::detail
