// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Cycles among parts that need one another: a shortest one, item by item, and how it is told.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/static_failure.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// An item, and one that uses it.
using item_use = std::pair<std::uint32_t, std::uint32_t>;

/// Finds cycles among units, which are sets of items that run as one: each use on a cycle leads from one unit into the next, the last back
/// into the first. Items alone must form no cycle. The same uses give the same cycle at both times.
class cycle_finder {
 public:
  constexpr cycle_finder(const vector<item_use>& uses, const vector<std::uint32_t>& unit_of, std::size_t units)
      : uses_(uses),
        unit_of_(unit_of),
        waits_(units, 0),
        first_use_(units + 1, 0) {
    std::uint32_t between = 0;
    for (const auto& use : uses_) {
      if (from(use) == to(use)) continue;
      first_use_[from(use) + 1] += 1;
      waits_[to(use)] += 1;
      ++between;
    }
    for (std::size_t unit = 0; unit < units; ++unit) first_use_[unit + 1] += first_use_[unit];
    leaving_.assign(between, 0);
    auto next = first_use_;
    for (std::uint32_t i = 0; i < uses_.size(); ++i) {
      if (from(uses_[i]) != to(uses_[i])) leaving_[next[from(uses_[i])]++] = i;
    }
    has_cycle_ = leave_the_stuck();
  }

  constexpr auto has_cycle() const -> bool { return has_cycle_; }

  /// The uses along a shortest cycle; empty if there is none. Breadth first from every unit of several items, lower numbers first; in a
  /// large graph the search for a still shorter one ends after some `enough` uses.
  constexpr auto shortest() -> vector<item_use> {
    if (!has_cycle_) return {};
    prepare();
    vector<std::uint32_t> items(waits_.size(), 0);
    for (const auto unit : unit_of_) items[unit] += 1;
    for (std::uint32_t unit = 0; unit < waits_.size(); ++unit) {
      if (waits_[unit] == 0 || items[unit] < 2) continue;
      search_from(unit);
      if (best_.size() == 2 || (!best_.empty() && looked_at_ > enough)) break;
    }
    return std::move(best_);
  }

  /// The uses along a shortest cycle through one unit, from the one that leads into it; empty if there is none.
  constexpr auto through(std::uint32_t unit) -> vector<item_use> {
    if (waits_[unit] == 0) return {};
    prepare();
    search_from(unit);
    if (!best_.empty()) std::rotate(best_.begin(), best_.end() - 1, best_.end());
    return std::move(best_);
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffffu;
  static constexpr std::size_t enough = 10000;  // so that a constant stays within the compilers' limits

  constexpr auto from(const item_use& use) const -> std::uint32_t { return unit_of_[use.first]; }
  constexpr auto to(const item_use& use) const -> std::uint32_t { return unit_of_[use.second]; }

  /// Kahn's algorithm: what waits in the end lies on a cycle or behind one. Whether there is any.
  constexpr auto leave_the_stuck() -> bool {
    vector<std::uint32_t> ready;
    for (std::uint32_t unit = 0; unit < waits_.size(); ++unit) {
      if (waits_[unit] == 0) ready.push_back(unit);
    }
    for (std::size_t at = 0; at < ready.size(); ++at) {
      for (auto e = first_use_[ready[at]]; e < first_use_[ready[at] + 1]; ++e) {
        if (--waits_[to(uses_[leaving_[e]])] == 0) ready.push_back(to(uses_[leaving_[e]]));
      }
    }
    return ready.size() < waits_.size();
  }

  constexpr void prepare() {
    best_.clear();
    entered_by_.assign(waits_.size(), 0);
    depth_.assign(waits_.size(), 0);
    seen_from_.assign(waits_.size(), nowhere);
  }

  /// Looks for a cycle through a unit that is shorter than the best so far.
  constexpr void search_from(std::uint32_t start) {
    vector<std::uint32_t> open{start};
    seen_from_[start] = start;
    depth_[start] = 0;
    for (std::size_t at = 0; at < open.size(); ++at) {
      const auto here = open[at];
      // Through a unit behind this one a cycle has two more uses at least.
      const bool may_go_on = best_.empty() || depth_[here] + 2u < best_.size();
      for (auto e = first_use_[here]; e < first_use_[here + 1]; ++e) {
        ++looked_at_;
        const auto use = leaving_[e];
        const auto next = to(uses_[use]);
        if (next == start) return take(start, use);
        if (!may_go_on || waits_[next] == 0 || seen_from_[next] == start) continue;
        seen_from_[next] = start;
        depth_[next] = depth_[here] + 1;
        entered_by_[next] = use;
        open.push_back(next);
      }
    }
  }

  constexpr void take(std::uint32_t start, std::uint32_t last) {
    if (!best_.empty() && depth_[from(uses_[last])] + 1u >= best_.size()) return;
    best_.clear();
    best_.push_back(uses_[last]);
    for (auto unit = from(uses_[last]); unit != start; unit = from(best_.back())) best_.push_back(uses_[entered_by_[unit]]);
    std::reverse(best_.begin(), best_.end());
  }

  const vector<item_use>& uses_;
  const vector<std::uint32_t>& unit_of_;
  vector<std::uint32_t> waits_;      ///< by unit: how many uses lead into it, in the end from units on cycles or behind them
  vector<std::uint32_t> first_use_;  ///< by unit, into `leaving_`
  vector<std::uint32_t> leaving_;    ///< uses between units, by the unit that they leave
  vector<std::uint32_t> entered_by_;
  vector<std::uint32_t> depth_;
  vector<std::uint32_t> seen_from_;
  vector<item_use> best_;
  std::size_t looked_at_ = 0;
  bool has_cycle_ = false;
};

/// A cycle as text. "a of t -> b -> c of t": b uses a, c uses b, and a and c are in part t; "a with b": they are in one part that has no
/// name. `name` and `part` give the texts of an item. What does not fit into a reason is counted.
template <class Name, class Part>
constexpr auto told_cycle(const vector<item_use>& cycle, Name name, Part part) -> text_buffer {
  constexpr std::size_t room_for_the_rest = 32;
  const auto told = [&](std::uint32_t item) {
    auto text = join(name(item));
    if (!part(item).empty()) append(append(text, " of "), part(item));
    return text;
  };
  auto path = told(cycle.front().first);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto item = cycle[i].second;
    auto step = join(" -> ", view(told(item)));
    const bool is_last = i + 1 == cycle.size();
    const auto next = cycle[is_last ? 0 : i + 1].first;
    if (next != item && !(is_last && !part(item).empty())) append(append(step, " with "), name(next));
    if (i > 1 && path.size() + step.size() + (is_last ? 0 : room_for_the_rest) > static_failure::reason_capacity)
      return append(append(append(path, " -> ..., "), static_cast<std::int64_t>(cycle.size())), " steps in all");
    append(path, view(step));
  }
  return path;
}

}  // namespace baton::detail
