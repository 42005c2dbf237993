// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An exhaustive search for a placement of items in a limited number of bytes.
#pragma once

#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/lifetime_index.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// The outcome of a search: a placement, a proof that no placement exists, or neither. A search gives up if its budget is exhausted or
/// there are too many items.
enum class search_result : std::uint8_t { found, impossible, given_up };

/// A search for an order of items in which first fit stays within a capacity. First fit places each item at the lowest free offset.
///
/// Only canonical placements are searched: each item is at offset 0 or directly above an item that is live at the same time. Items are
/// placed by ascending offset, so the offset of an item depends only on the items below the item. A partial placement is pruned if an
/// unplaced item would fit below the item that was placed last. It is also pruned if there is too little memory for the unplaced items of a
/// step. All of them must fit above the lowest offset that any of them can have. Two kinds of items are not searched. An item that is live
/// together with every other item is placed first. An item that fits wherever the other items are placed is placed last. Source: M. D.
/// Moffitt, MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning, ASPLOS 2023.
///
/// The cost is counted in inspections of an item. So a search with a given budget has the same result at compile time and at run time. The
/// cost may be exponential in the number of items.
class exact_search {
 public:
  constexpr explicit exact_search(span<const lifetime> needs) : needs_(needs), neighbors_(needs.size(), vector<std::uint32_t>{}) {
    std::uint64_t all = 0;
    lifetime_index earlier(needs);
    for (std::uint32_t i = 0; i < needs.size(); ++i) {
      all |= needs[i].bytes;
      earlier.for_each_simultaneous(i, [&](std::uint32_t other) {
        neighbors_[i].push_back(other);
        neighbors_[other].push_back(i);
      });
      earlier.insert(i);
    }
    unit_ = all == 0 ? 1 : all & (~all + 1);
  }

  /// Searches for an order that needs at most `capacity` bytes. Gives up after about `budget` inspections of an item. Subtracts the number
  /// of inspections from `budget`.
  constexpr auto run(std::uint64_t capacity, std::int64_t& budget) -> search_result {
    budget_ = budget;
    auto outcome = search_result::impossible;
    if (reduce(capacity / unit_ * unit_) && divide()) {
      rank();
      outcome = search_result::given_up;
      if (items_.size() <= max_items) outcome = place_next(0, 0);
    }
    if (budget_ <= 0 && outcome == search_result::impossible) outcome = search_result::given_up;
    budget = std::max<std::int64_t>(budget_, 0);
    return outcome;
  }

  /// Returns the order of items. Call this function only after `run` returned `found`.
  constexpr auto order() const -> vector<std::uint32_t> {
    auto result = first_items_;
    for (const auto i : placed_) result.push_back(items_[i].entry);
    for (auto i = last_items_.size(); i-- > 0;) result.push_back(last_items_[i]);
    return result;
  }

  /// Returns the largest power of two that divides all sizes, in bytes. A search with a capacity that is not a multiple of this unit has
  /// the same outcome as with the next smaller multiple.
  constexpr auto unit() const -> std::uint64_t { return unit_; }

 private:
  static constexpr std::size_t max_items = 128;  // limits the recursion depth, one call per item

  /// An item whose place in the order is searched. `first` and `last` are sections (see `divide`).
  struct searched_item {
    std::uint32_t entry;
    std::uint32_t first;
    std::uint32_t last;
    std::uint64_t bytes;
    std::uint64_t offset = 0;         // the maximum end of the placed items that are live at the same time; final once this item is placed
    std::uint64_t peak = 0;           // the maximum of simultaneously live bytes during its lifetime
    std::uint32_t equal_item = npos;  // an equal item (same lifetime and size) that must be placed below this item; `npos` if none
    bool is_placed = false;
    std::uint32_t previous = npos;  // the previous item in the list of unplaced items
    std::uint32_t next = npos;
  };
  struct raised_offset {
    std::uint32_t item;
    std::uint64_t offset;
  };

  /// Removes from the search the items that can be placed first or last. Repeats this, because a removal may make further items removable.
  /// Returns false if the first items exceed the capacity.
  constexpr auto reduce(std::uint64_t capacity) -> bool {
    first_items_.clear();
    last_items_.clear();
    capacity_ = capacity;
    is_remaining_.assign(needs_.size(), 1);
    remaining_ = needs_.size();
    neighbor_bytes_.assign(needs_.size(), 0);
    neighbor_counts_.assign(needs_.size(), 0);
    for (std::uint32_t i = 0; i < needs_.size(); ++i) {
      neighbor_counts_[i] = neighbors_[i].size();
      for (const auto other : neighbors_[i]) neighbor_bytes_[i] += needs_[other].bytes;
      budget_ -= 1 + static_cast<std::int64_t>(neighbor_counts_[i]);
    }
    for (bool again = true; again && budget_ > 0;) {
      again = false;
      for (std::uint32_t i = 0; i < needs_.size(); ++i) {
        if (is_remaining_[i] == 0) continue;
        if (fits_anywhere(i)) {
          last_items_.push_back(i);
        } else if (neighbor_counts_[i] + 1 == remaining_) {
          if (needs_[i].bytes > capacity_) return false;
          first_items_.push_back(i);
          capacity_ -= needs_[i].bytes;
        } else {
          continue;
        }
        remove(i);
        again = true;
      }
      budget_ -= static_cast<std::int64_t>(needs_.size());
    }
    return true;
  }

  /// True if item `i` fits wherever the other items are placed. `n` neighbors (items that are live at the same time) leave at most `n` + 1
  /// gaps. If item `i` does not fit, each gap is at least one unit smaller than the item. So the item fits if the neighbors, plus `n` + 1
  /// gaps of the item's size minus one unit, need less than the capacity.
  constexpr auto fits_anywhere(std::uint32_t i) const -> bool {
    const auto bytes = needs_[i].bytes;
    return bytes == 0 || neighbor_bytes_[i] + (neighbor_counts_[i] + 1) * (bytes - unit_) < capacity_;
  }
  constexpr void remove(std::uint32_t i) {
    is_remaining_[i] = 0;
    --remaining_;
    for (const auto other : neighbors_[i]) {
      neighbor_counts_[other] -= 1;
      neighbor_bytes_[other] -= needs_[i].bytes;
    }
    budget_ -= static_cast<std::int64_t>(neighbors_[i].size());
  }

  /// Divides time into sections, one for each maximal set of remaining items that are live at the same time. Returns false if a section
  /// exceeds the capacity.
  constexpr auto divide() -> bool {
    const auto steps = detail::steps_of(needs_);
    vector<char> begins(steps, 0);
    vector<char> ends(steps, 0);
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (is_remaining_[i] != 0) begins[needs_[i].first] = ends[needs_[i].last] = 1;
    }
    vector<std::uint32_t> ended{0};  // indexed by step: the number of sections that end before this step
    bool is_open = false;
    for (std::uint32_t step = 0; step < steps; ++step) {
      is_open = is_open || begins[step] != 0;
      const bool closes = is_open && ends[step] != 0;
      ended.push_back(ended.back() + (closes ? 1 : 0));
      is_open = is_open && !closes;
    }
    lowest_.assign(ended.back(), 0);
    unplaced_bytes_.assign(ended.back(), 0);
    items_.clear();
    placed_.clear();
    raised_.clear();
    for (std::uint32_t i = 0; i < needs_.size(); ++i) {
      if (is_remaining_[i] == 0) continue;
      const auto& life = needs_[i];
      items_.push_back({.entry = i, .first = ended[life.first], .last = ended[life.last + 1] - 1, .bytes = life.bytes});
      add_unplaced(items_.back());
    }
    budget_ -= steps;
    return std::all_of(unplaced_bytes_.begin(), unplaced_bytes_.end(), [this](std::uint64_t bytes) { return bytes <= capacity_; });
  }

  constexpr void add_unplaced(const searched_item& each) {
    for (auto s = each.first; s <= each.last; ++s) unplaced_bytes_[s] += each.bytes;
  }

  /// Sorts the items so that the most difficult items are tried first: by peak, then lifetime, then size, all descending.
  constexpr void rank() {
    for (auto& each : items_) {
      for (auto s = each.first; s <= each.last; ++s) each.peak = std::max(each.peak, unplaced_bytes_[s]);
    }
    sort(items_.begin(), items_.end(), [](const searched_item& a, const searched_item& b) {
      if (a.peak != b.peak) return a.peak > b.peak;
      if (a.last - a.first != b.last - b.first) return a.last - a.first > b.last - b.first;
      if (a.bytes != b.bytes) return a.bytes > b.bytes;
      return a.first != b.first ? a.first < b.first : a.entry < b.entry;
    });
    unplaced_ = items_.empty() ? npos : 0;
    for (std::uint32_t i = 1; i < items_.size(); ++i) {
      auto& other = items_[i - 1];
      auto& each = items_[i];
      if (other.first == each.first && other.last == each.last && other.bytes == each.bytes) each.equal_item = i - 1;
      each.previous = i - 1;
      other.next = i;
    }
    budget_ -= 30 * static_cast<std::int64_t>(items_.size());  // the cost of building and sorting `items_`
  }

  /// Places the unplaced items by ascending offset; at equal offsets, by ascending index in `items_`. The next item must be above offset
  /// `at`, or at `at` with an index of at least `from`.
  constexpr auto place_next(std::uint64_t at, std::uint32_t from) -> search_result {
    if (unplaced_ == npos) return search_result::found;
    const auto limit = limit_of_offset(at);
    for (auto i = candidate(at, from, limit); i != npos; i = candidate(at, from, limit)) {
      if (budget_ <= 0) return search_result::given_up;
      const auto raised_count = raised_.size();
      at = items_[i].offset;
      from = i + 1;
      place(i);
      const auto outcome = place_next(at, from);
      if (outcome != search_result::impossible) return outcome;
      unplace(i, raised_count);
    }
    return search_result::impossible;
  }

  // The following functions are called often. These functions use pointers and conditional expressions, which need the fewest steps of
  // Clang's constant evaluation.

  /// Returns the exclusive upper limit of the offset of the next item. At this offset or above, an unplaced item would fit below the next
  /// item. Returns 0 if the unplaced items of a section do not fit above the lowest offset at which any of them may be placed.
  constexpr auto limit_of_offset(std::uint64_t at) -> std::uint64_t {
    const auto* const all = items_.data();
    auto* const lowest = lowest_.data();
    const auto sections = lowest_.size();
    auto limit = capacity_;
    for (std::size_t s = 0; s < sections; ++s) lowest[s] = capacity_;
    for (auto i = unplaced_; i != npos; i = all[i].next) {
      const auto min_offset = all[i].offset > at ? all[i].offset : at;
      limit = min_offset + all[i].bytes < limit ? min_offset + all[i].bytes : limit;
      for (auto s = all[i].first; s <= all[i].last; ++s) lowest[s] = lowest[s] < min_offset ? lowest[s] : min_offset;
      budget_ -= 1 + (all[i].last - all[i].first) / 4;
    }
    budget_ -= static_cast<std::int64_t>(sections);
    const auto* const bytes = unplaced_bytes_.data();
    for (std::size_t s = 0; s < sections; ++s) limit = lowest[s] + bytes[s] > capacity_ ? 0 : limit;
    return limit;
  }

  /// Returns the item that may be placed next and has the lowest offset below `limit`, or `npos` if there is none.
  constexpr auto candidate(std::uint64_t at, std::uint32_t from, std::uint64_t limit) -> std::uint32_t {
    const auto* const all = items_.data();
    auto best = npos;
    std::int64_t count = 0;
    for (auto i = limit == 0 ? npos : unplaced_; i != npos; i = all[i].next, ++count) {
      const auto offset = all[i].offset;
      if (offset < limit && (offset > at || (offset == at && i >= from)) && (all[i].equal_item == npos || all[all[i].equal_item].is_placed))
        limit = all[best = i].offset;
    }
    budget_ -= count;
    return best;
  }

  constexpr void place(std::uint32_t i) {
    auto* const all = items_.data();
    const auto chosen = all[i];
    all[i].is_placed = true;
    (chosen.previous == npos ? unplaced_ : all[chosen.previous].next) = chosen.next;
    if (chosen.next != npos) all[chosen.next].previous = chosen.previous;
    placed_.push_back(i);
    for (auto s = chosen.first; s <= chosen.last; ++s) unplaced_bytes_[s] -= chosen.bytes;
    const auto top = chosen.offset + chosen.bytes;
    std::int64_t count = 0;
    for (auto other = unplaced_; other != npos; other = all[other].next, ++count) {
      if (all[other].first > chosen.last || all[other].last < chosen.first || all[other].offset >= top) continue;
      raised_.push_back({other, all[other].offset});
      all[other].offset = top;
    }
    budget_ -= count;
  }

  constexpr void unplace(std::uint32_t i, std::size_t raised_count) {
    for (; raised_.size() > raised_count; raised_.pop_back()) items_[raised_.back().item].offset = raised_.back().offset;
    auto& chosen = items_[i];
    chosen.is_placed = false;
    (chosen.previous == npos ? unplaced_ : items_[chosen.previous].next) = i;
    if (chosen.next != npos) items_[chosen.next].previous = i;
    placed_.pop_back();
    add_unplaced(chosen);
  }

  span<const lifetime> needs_;
  vector<vector<std::uint32_t>> neighbors_;
  std::uint64_t unit_ = 1;
  std::int64_t budget_ = 0;
  std::uint64_t capacity_ = 0;  // the capacity above the first items
  vector<std::uint32_t> first_items_;
  vector<std::uint32_t> last_items_;  // in reverse order of placement
  vector<char> is_remaining_;         // indexed by item: whether it is in neither `first_items_` nor `last_items_`
  std::size_t remaining_ = 0;
  vector<std::uint64_t> neighbor_bytes_;  // indexed by item: the bytes of its remaining neighbors
  vector<std::size_t> neighbor_counts_;   // indexed by item: the number of its remaining neighbors
  vector<searched_item> items_;           // in the order in which they are tried
  std::uint32_t unplaced_ = npos;         // the first unplaced item
  vector<std::uint32_t> placed_;          // indices in `items_`, in order of placement
  vector<raised_offset> raised_;          // the previous offsets of raised items, restored by `unplace`
  vector<std::uint64_t> lowest_;          // indexed by section: the lowest offset of its unplaced items
  vector<std::uint64_t> unplaced_bytes_;  // indexed by section: the total size of its unplaced items
};

}  // namespace baton
