// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Shortest cycles among units, which are sets of items.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/order.hpp>
#include <baton/graph/shared/edges_between_units.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// A search for cycles among units. A unit is a set of items that are executed together. A use is a pair: an item, and another item that
/// uses the first item. A cycle is a list of uses. Each use leads from one unit to the next, and the last use leads back to the first unit.
/// The items themselves must not form a cycle. The finder returns the same cycles at compile time and at run time. The arguments of the
/// constructor must outlive the finder.
class cycle_finder {
 public:
  constexpr cycle_finder(const vector<edge>& uses, const vector<std::uint32_t>& unit_of, std::size_t units)
      : uses_(uses),
        unit_of_(unit_of),
        is_stuck_(units, 1) {
    const auto ordered = topological_order({edges_between_units(uses_, unit_of_), units});
    for (const auto unit : ordered) is_stuck_[unit] = 0;
    has_cycle_ = ordered.size() < units;
    if (has_cycle_) find_leaving();
  }

  constexpr auto has_cycle() const -> bool { return has_cycle_; }

  /// Returns the uses along a shortest cycle, or an empty list if there is no cycle. Searches breadth first from each unit with several
  /// items, in ascending order. After the search has followed about `use_budget` uses, it stops as soon as it has found a cycle. Therefore,
  /// the returned cycle may not be the shortest one in a large graph.
  constexpr auto shortest() -> vector<edge> {
    if (!has_cycle_) return {};
    prepare();
    vector<std::uint32_t> items(is_stuck_.size(), 0);
    for (const auto unit : unit_of_) items[unit] += 1;
    for (std::uint32_t unit = 0; unit < is_stuck_.size(); ++unit) {
      if (is_stuck_[unit] == 0 || items[unit] < 2) continue;
      search_from(unit);
      if (best_.size() == 2 || (!best_.empty() && followed_uses_ > use_budget)) break;
    }
    return std::move(best_);
  }

  /// Returns the uses along a shortest cycle through `unit`, starting with the use that leads into `unit`. Returns an empty list if there
  /// is no such cycle.
  constexpr auto through(std::uint32_t unit) -> vector<edge> {
    if (is_stuck_[unit] == 0) return {};
    prepare();
    search_from(unit);
    if (!best_.empty()) {
      best_.insert(best_.begin(), best_.back());
      best_.pop_back();
    }
    return std::move(best_);
  }

 private:
  static constexpr std::size_t use_budget = 10000;  // keeps constant expressions within the compilers' limits

  constexpr auto from(const edge& use) const -> std::uint32_t { return unit_of_[use.first]; }
  constexpr auto to(const edge& use) const -> std::uint32_t { return unit_of_[use.second]; }

  constexpr void find_leaving() {
    vector<edge> leaving;
    for (std::uint32_t i = 0; i < uses_.size(); ++i) {
      const auto& use = uses_[i];
      if (from(use) != to(use) && is_stuck_[from(use)] != 0 && is_stuck_[to(use)] != 0) leaving.emplace_back(from(use), i);
    }
    leaving_ = {leaving, is_stuck_.size()};
  }

  constexpr void prepare() {
    best_.clear();
    entered_by_.assign(is_stuck_.size(), 0);
    depth_.assign(is_stuck_.size(), 0);
    seen_from_.assign(is_stuck_.size(), npos);
  }

  /// Searches for a cycle through `start` that is shorter than the best one so far.
  constexpr void search_from(std::uint32_t start) {
    vector<std::uint32_t> open{start};
    seen_from_[start] = start;
    depth_[start] = 0;
    for (std::size_t at = 0; at < open.size(); ++at) {
      const auto here = open[at];
      // A cycle that continues through a successor of `here` has at least two more uses than the path to `here`.
      const bool may_go_on = best_.empty() || depth_[here] + 2u < best_.size();
      for (const auto use : leaving_[here]) {
        ++followed_uses_;
        const auto next = to(uses_[use]);
        if (next == start) return keep_shorter(start, use);
        if (!may_go_on || seen_from_[next] == start) continue;
        seen_from_[next] = start;
        depth_[next] = depth_[here] + 1;
        entered_by_[next] = use;
        open.push_back(next);
      }
    }
  }

  /// Stores the cycle that ends with the use `last` in `best_`, if this cycle is shorter than the best one so far.
  constexpr void keep_shorter(std::uint32_t start, std::uint32_t last) {
    if (!best_.empty() && depth_[from(uses_[last])] + 1u >= best_.size()) return;
    best_.clear();
    best_.push_back(uses_[last]);
    for (auto unit = from(uses_[last]); unit != start; unit = from(best_.back())) best_.push_back(uses_[entered_by_[unit]]);
    std::reverse(best_.begin(), best_.end());
  }

  const vector<edge>& uses_;
  const vector<std::uint32_t>& unit_of_;
  vector<char> is_stuck_;  ///< indexed by unit: whether the unit is on a cycle or reachable from a cycle
  adjacency leaving_;  ///< indexed by unit: the positions in `uses_` of the uses that lead from this unit to another unit, if both units
                       ///< are stuck
  vector<std::uint32_t> entered_by_;  ///< indexed by unit: the position in `uses_` of the use through which the search reached the unit
  vector<std::uint32_t> depth_;       ///< indexed by unit: the number of uses from the start of the search to the unit
  vector<std::uint32_t> seen_from_;   ///< indexed by unit: the start of the last search that reached the unit, or `npos`
  vector<edge> best_;                 ///< the shortest cycle so far
  std::size_t followed_uses_ = 0;
  bool has_cycle_ = false;
};

}  // namespace baton
