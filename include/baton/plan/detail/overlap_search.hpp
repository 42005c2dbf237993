// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A search for offsets at which outputs lie on dying operands, as near as distances allow.
#pragma once

#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/plan/detail/least_bytes.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/distances_of_step.hpp>
#include <baton/plan/shared/round_up.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Places items in the order in which they begin, each at one of a few offsets where it fits beside those that are placed: the ends of the
/// memory, next to what lives with it, and on a dying operand as near as the distance allows. Where an item has no such offset left, the
/// one before it goes to its next. Offsets between these are not tried: that nothing is found is no proof.
class overlap_search {
 public:
  constexpr explicit overlap_search(const memory_problem& problem)
      : items_(problem.items),
        alignment_(problem.alignment),
        offsets_(problem.items.size(), 0),
        pairs_(joined_pairs(problem.distances)) {
    put_in_order();
    find_neighbours();
    cursors_.assign(order_.size(), 0);
  }

  constexpr auto offsets() const -> const vector<std::uint64_t>& { return offsets_; }

  /// Bytes that no placement goes below.
  constexpr auto lower_bound() const -> std::uint64_t {
    const auto least = least_bytes_of_steps(items_, pairs_, alignment_);
    return static_cast<std::uint64_t>(*std::max_element(least.begin(), least.end()));
  }

  /// Whether all items are placed in so many bytes within so many looks, at a candidate or at what lives with it; takes from `looks` what
  /// it needed.
  constexpr auto run(std::uint64_t bytes, std::int64_t& looks) -> bool {
    const auto end = static_cast<std::int64_t>(bytes);
    std::size_t at = 0;
    if (!order_.empty()) cursors_[0] = 0;
    while (at < order_.size()) {
      if (looks <= 0) return false;
      if (place_next(at, end, looks)) {
        if (++at < order_.size()) cursors_[at] = 0;
      } else if (at-- == 0) {
        return false;
      }
    }
    return true;
  }

 private:
  /// An item that is placed before another and lives with it; of a pair, the operand that the other may lie on.
  struct neighbour {
    std::uint32_t item = 0;
    std::int64_t ascending = least_distance::apart;
    std::int64_t descending = -least_distance::apart;

    constexpr auto may_overlap() const -> bool { return ascending != least_distance::apart || descending != -least_distance::apart; }
  };
  /// In which orders of writing an item may lie where it does.
  struct orders {
    bool ascending = true;
    bool descending = true;
  };

  static constexpr auto size_of(const lifetime& item) -> std::int64_t { return static_cast<std::int64_t>(item.bytes); }
  constexpr auto round_down(std::int64_t offset) const -> std::int64_t { return offset & -std::int64_t{alignment_}; }
  constexpr auto round_up(std::int64_t offset) const -> std::int64_t { return round_down(offset + alignment_ - 1); }

  /// By begin: outputs of pairs behind their operands, what lives for its step alone last of all; what lives longer, and is larger, first.
  constexpr void put_in_order() {
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

  /// By item in order, those before it that live with it, operands of its pairs first.
  constexpr void find_neighbours() {
    vector<std::uint32_t> living;
    for (const auto item : order_) {
      first_neighbours_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
      const auto begin = items_[item].first;
      std::size_t kept = 0;
      for (const auto other : living) {
        if (items_[other].last >= begin) living[kept++] = other;
      }
      living.resize(kept);
      const auto of_step = distances_of_step(pairs_, begin);
      for (const auto& pair : of_step) {
        if (pair.output == item) neighbours_.push_back({pair.input, pair.ascending, pair.descending});
      }
      for (const auto other : living) {
        const auto is_operand = [&](const distance& pair) { return pair.output == item && pair.input == other; };
        if (std::none_of(of_step.begin(), of_step.end(), is_operand)) neighbours_.push_back({other});
      }
      living.push_back(item);
    }
    first_neighbours_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
  }

  constexpr auto neighbours_of(std::size_t at) const -> span<const neighbour> {
    return span<const neighbour>{neighbours_}.subspan(first_neighbours_[at], first_neighbours_[at + 1] - first_neighbours_[at]);
  }

  static constexpr std::size_t ways = 4;  // of lying beside, or on, a neighbour

  /// An offset to be tried, or a negative number.
  constexpr auto candidate(span<const neighbour> all, std::size_t number, std::int64_t size, std::int64_t end) const -> std::int64_t {
    if (number == 0) return 0;
    if (number == 1) return end - size;
    const auto& near = all[(number - 2) / ways];
    const auto offset = static_cast<std::int64_t>(offsets_[near.item]);
    switch ((number - 2) % ways) {
      case 0:
        return near.ascending == least_distance::apart ? -1 : round_down(offset - near.ascending);
      case 1:
        return near.descending == -least_distance::apart ? -1 : round_up(offset - near.descending);
      case 2:
        return offset + size_of(items_[near.item]);
      default:
        return offset - size;
    }
  }

  constexpr auto orders_at(span<const neighbour> all, std::int64_t offset, std::int64_t size) const -> orders {
    orders allowed;
    for (const auto& near : all) {
      const auto between = static_cast<std::int64_t>(offsets_[near.item]) - offset;
      if (between >= size || between <= -size_of(items_[near.item])) continue;
      allowed.ascending = allowed.ascending && between >= near.ascending;
      allowed.descending = allowed.descending && between <= near.descending;
      if (!allowed.ascending && !allowed.descending) break;
    }
    return allowed;
  }

  /// Puts an item at the next offset where it fits. Of a pair's output, those come first where it is written upward.
  constexpr auto place_next(std::size_t at, std::int64_t end, std::int64_t& looks) -> bool {
    const auto all = neighbours_of(at);
    const auto size = size_of(items_[order_[at]]);
    const auto candidates = 2 + ways * all.size();
    const std::size_t passes = !all.empty() && all[0].may_overlap() ? 2 : 1;
    for (auto& cursor = cursors_[at]; cursor < passes * candidates;) {
      const bool is_downward = cursor >= candidates;
      const auto number = cursor++ % candidates;
      const auto offset = candidate(all, number, size, end);
      --looks;
      if (offset < 0 || offset + size > end) continue;
      looks -= static_cast<std::int64_t>(all.size());
      const auto allowed = orders_at(all, offset, size);
      if (is_downward ? allowed.ascending || !allowed.descending : !allowed.ascending) continue;
      bool is_new = true;
      for (std::size_t earlier = 0; is_new && earlier < number; ++earlier) is_new = candidate(all, earlier, size, end) != offset;
      if (!is_new) continue;
      offsets_[order_[at]] = static_cast<std::uint64_t>(offset);
      return true;
    }
    return false;
  }

  span<const lifetime> items_;
  std::uint32_t alignment_;
  vector<std::uint64_t> offsets_;
  vector<distance> pairs_;  // joined
  vector<std::uint32_t> order_;
  vector<std::uint32_t> first_neighbours_;  // by place in the order; then the end
  vector<neighbour> neighbours_;
  vector<std::size_t> cursors_;  // by place in the order, the candidate that is tried next
};

}  // namespace baton::detail
