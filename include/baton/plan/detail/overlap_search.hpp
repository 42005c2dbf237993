// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A search for a memory layout in which outputs may overlap operands that are not read later, as far as their distances allow (`distance`).
#pragma once

#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/min_bytes.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/distances_of_step.hpp>
#include <baton/plan/shared/round_up.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A placement of items in the order of `sort_items`, with backtracking. A pair is an output and an operand that the output may overlap.
/// The candidate offsets of an item are:
/// - the lowest and the highest offset in the memory;
/// - the offsets directly above and below each placed item that is live at the same time;
/// - if the item is the output of a pair, the closest offsets at which the output may overlap the operand.
///
/// If no candidate fits, the search moves the previous item to its next candidate. Other offsets are not tried, so a failed search does not
/// prove that no placement exists.
class overlap_search {
 public:
  constexpr explicit overlap_search(const memory_problem& problem)
      : items_(problem.items),
        alignment_(problem.alignment),
        offsets_(problem.items.size(), 0),
        pairs_(joined_pairs(problem.distances)) {
    sort_items();
    find_neighbors();
    cursors_.assign(order_.size(), 0);
  }

  constexpr auto offsets() const -> const vector<std::uint64_t>& { return offsets_; }

  /// Returns a lower bound of the bytes that any placement needs.
  constexpr auto lower_bound() const -> std::uint64_t {
    const auto bytes = min_bytes_of_steps(items_, pairs_, alignment_);
    return static_cast<std::uint64_t>(*std::max_element(bytes.begin(), bytes.end()));
  }

  /// Tries to place all items in `bytes` bytes. Returns false if the search fails, or if `budget` is exhausted. Each tried candidate
  /// subtracts 1 from `budget`. A candidate inside the memory also subtracts the number of neighbors of its item (see `neighbor`).
  constexpr auto run(std::uint64_t bytes, std::int64_t& budget) -> bool {
    const auto end = static_cast<std::int64_t>(bytes);
    std::size_t at = 0;
    if (!order_.empty()) cursors_[0] = 0;
    while (at < order_.size()) {
      if (budget <= 0) return false;
      if (place_next(at, end, budget)) {
        if (++at < order_.size()) cursors_[at] = 0;
      } else if (at-- == 0) {
        return false;
      }
    }
    return true;
  }

 private:
  /// A neighbor of an item: another item that precedes the item in `order_` and is live at the same time. If the neighbor is the operand of
  /// a pair whose output is the item, `ascending` and `descending` are the members of the pair's `distance`.
  struct neighbor {
    std::uint32_t item = 0;
    std::int64_t ascending = min_distance::disjoint;
    std::int64_t descending = -min_distance::disjoint;

    constexpr auto may_overlap() const -> bool { return ascending != min_distance::disjoint || descending != -min_distance::disjoint; }
  };
  /// The orders of writing that an offset of an item allows.
  struct orders {
    bool ascending = true;
    bool descending = true;
  };

  static constexpr auto size_of(const lifetime& item) -> std::int64_t { return static_cast<std::int64_t>(item.bytes); }
  constexpr auto round_down(std::int64_t offset) const -> std::int64_t { return offset & -std::int64_t{alignment_}; }
  constexpr auto round_up(std::int64_t offset) const -> std::int64_t { return round_down(offset + alignment_ - 1); }

  /// Sorts items by first step. Items with the same first step are sorted by group, then by last step and by size, both descending. Group 0
  /// consists of the operands of pairs and the items that are live in several steps, except outputs of pairs. Group 1 consists of the
  /// outputs of pairs. Group 2 consists of all other items.
  constexpr void sort_items() {
    vector<std::uint32_t> rank(items_.size(), 0);
    for (std::uint32_t i = 0; i < items_.size(); ++i) rank[i] = items_[i].first == items_[i].last ? 2 : 0;
    for (const auto& pair : pairs_) rank[pair.input] = 0;
    for (const auto& pair : pairs_) rank[pair.output] = 1;
    for (std::uint32_t i = 0; i < items_.size(); ++i) order_.push_back(i);
    baton::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto& left = items_[a];
      const auto& right = items_[b];
      if (left.first != right.first) return left.first < right.first;
      if (rank[a] != rank[b]) return rank[a] < rank[b];
      if (left.last != right.last) return left.last > right.last;
      return left.bytes != right.bytes ? left.bytes > right.bytes : a < b;
    });
  }

  /// Finds the neighbors of each item. If the item is the output of pairs, the operands of these pairs are its first neighbors.
  constexpr void find_neighbors() {
    vector<std::uint32_t> living;
    for (const auto item : order_) {
      first_neighbors_.push_back(static_cast<std::uint32_t>(neighbors_.size()));
      const auto begin = items_[item].first;
      std::size_t kept = 0;
      for (const auto other : living) {
        if (items_[other].last >= begin) living[kept++] = other;
      }
      living.resize(kept);
      const auto of_step = distances_of_step(pairs_, begin);
      for (const auto& pair : of_step) {
        if (pair.output == item) neighbors_.push_back({pair.input, pair.ascending, pair.descending});
      }
      for (const auto other : living) {
        const auto is_operand = [&](const distance& pair) { return pair.output == item && pair.input == other; };
        if (std::none_of(of_step.begin(), of_step.end(), is_operand)) neighbors_.push_back({other});
      }
      living.push_back(item);
    }
    first_neighbors_.push_back(static_cast<std::uint32_t>(neighbors_.size()));
  }

  constexpr auto neighbors_of(std::size_t at) const -> span<const neighbor> {
    return span<const neighbor>{neighbors_}.subspan(first_neighbors_[at], first_neighbors_[at + 1] - first_neighbors_[at]);
  }

  static constexpr std::size_t candidates_per_neighbor = 4;  // overlap with ascending writes; overlap with descending writes; above; below

  /// Returns candidate offset number `k`, counted from 0, of an item with `size` bytes and the neighbors `all`. `end` is the size of the
  /// memory. Returns a negative number if this candidate does not exist.
  constexpr auto candidate(span<const neighbor> all, std::size_t k, std::int64_t size, std::int64_t end) const -> std::int64_t {
    if (k == 0) return 0;
    if (k == 1) return end - size;
    const auto& other = all[(k - 2) / candidates_per_neighbor];
    const auto offset = static_cast<std::int64_t>(offsets_[other.item]);
    switch ((k - 2) % candidates_per_neighbor) {
      case 0:
        return other.ascending == min_distance::disjoint ? -1 : round_down(offset - other.ascending);
      case 1:
        return other.descending == -min_distance::disjoint ? -1 : round_up(offset - other.descending);
      case 2:
        return offset + size_of(items_[other.item]);
      default:
        return offset - size;
    }
  }

  constexpr auto orders_at(span<const neighbor> all, std::int64_t offset, std::int64_t size) const -> orders {
    orders allowed;
    for (const auto& other : all) {
      const auto between = static_cast<std::int64_t>(offsets_[other.item]) - offset;
      if (between >= size || between <= -size_of(items_[other.item])) continue;
      allowed.ascending = allowed.ascending && between >= other.ascending;
      allowed.descending = allowed.descending && between <= other.descending;
      if (!allowed.ascending && !allowed.descending) break;
    }
    return allowed;
  }

  /// Returns the orders of writing that the placed outputs of a node allow. The node is the producer of item `order_[at]`. The outputs of
  /// pairs that begin in a step are adjacent in `order_`, and the node writes all these outputs in one order.
  constexpr auto orders_of_step(std::size_t at) const -> orders {
    orders allowed;
    for (auto before = at; before-- > 0;) {
      const auto& item = items_[order_[before]];
      const auto all = neighbors_of(before);
      if (item.first != items_[order_[at]].first || all.empty() || !all[0].may_overlap()) break;
      const auto own = orders_at(all, static_cast<std::int64_t>(offsets_[order_[before]]), size_of(item));
      allowed = {allowed.ascending && own.ascending, allowed.descending && own.descending};
    }
    return allowed;
  }

  /// Places item `order_[at]` at the next of its candidate offsets that fits. Returns false if no candidate is left. The output of a pair
  /// is first tried at offsets that allow ascending writes, then at offsets that allow only descending writes.
  constexpr auto place_next(std::size_t at, std::int64_t end, std::int64_t& budget) -> bool {
    const auto all = neighbors_of(at);
    const auto size = size_of(items_[order_[at]]);
    const auto candidates = 2 + candidates_per_neighbor * all.size();
    const bool may_overlap = !all.empty() && all[0].may_overlap();
    const std::size_t passes = may_overlap ? 2 : 1;
    const auto of_step = may_overlap ? orders_of_step(at) : orders{};
    for (auto& cursor = cursors_[at]; cursor < passes * candidates;) {
      const bool is_descending = cursor >= candidates;
      const auto k = cursor++ % candidates;
      const auto offset = candidate(all, k, size, end);
      --budget;
      if (offset < 0 || offset + size > end) continue;
      budget -= static_cast<std::int64_t>(all.size());
      auto allowed = orders_at(all, offset, size);
      allowed = {allowed.ascending && of_step.ascending, allowed.descending && of_step.descending};
      if (is_descending ? allowed.ascending || !allowed.descending : !allowed.ascending) continue;
      bool is_new = true;
      for (std::size_t earlier = 0; is_new && earlier < k; ++earlier) is_new = candidate(all, earlier, size, end) != offset;
      if (!is_new) continue;
      offsets_[order_[at]] = static_cast<std::uint64_t>(offset);
      return true;
    }
    return false;
  }

  span<const lifetime> items_;
  std::uint32_t alignment_;
  vector<std::uint64_t> offsets_;
  vector<distance> pairs_;  // one element for each pair
  vector<std::uint32_t> order_;
  vector<std::uint32_t> first_neighbors_;  // indexed by position in `order_`, followed by the size of `neighbors_`
  vector<neighbor> neighbors_;
  vector<std::size_t> cursors_;  // indexed by position in `order_`: the next candidate
};

}  // namespace baton::detail
