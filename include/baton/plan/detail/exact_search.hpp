// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Searches all placings of things with lifetimes for one that needs no more than so many bytes.
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

/// What came of a search: a placing, the proof that there is none, or neither, since it took too long.
enum class search_result : std::uint8_t { found, impossible, given_up };

/// An order in which each entry, placed at the lowest offset that is free, comes to lie within a capacity, if there is one.
///
/// It looks at canonical placings only: each entry lies at 0 or right above one that lives with it. They are built by ascending offsets, so
/// that a place is known by what lies below; an entry that leaves room for another beneath it is not tried, nor is anything where what
/// lives at once does not fit above the lowest offset left (M. D. Moffitt, MiniMalloc: A Lightweight Memory Allocator for
/// Hardware-Accelerated Machine Learning, ASPLOS 2023). What finds room wherever the others lie is placed last, what lives with all others
/// first. Work is counted in looks at an entry, the same at compile time and at run time; it may be exponential in the entries.
class exact_search {
 public:
  constexpr explicit exact_search(span<const lifetime> needs) : needs_(needs), living_with_(needs.size(), vector<std::uint32_t>{}) {
    std::uint64_t all = 0;
    lifetime_index earlier(needs);
    for (std::uint32_t i = 0; i < needs.size(); ++i) {
      all |= needs[i].bytes;
      earlier.for_each_living_with(i, [&](std::uint32_t other) {
        living_with_[i].push_back(other);
        living_with_[other].push_back(i);
      });
      earlier.insert(i);
    }
    unit_ = all == 0 ? 1 : all & (~all + 1);
  }

  /// Searches with so many looks at most, and takes from them what it needed.
  constexpr auto run(std::uint64_t capacity, std::int64_t& looks) -> search_result {
    looks_ = looks;
    auto made = search_result::impossible;
    if (reduce(capacity / unit_ * unit_) && divide()) {
      rank();
      made = search_result::given_up;
      if (sought_.size() <= most_sought) made = place_next(0, 0);
    }
    if (looks_ <= 0 && made == search_result::impossible) made = search_result::given_up;
    looks = std::max<std::int64_t>(looks_, 0);
    return made;
  }

  /// The order that `run` found.
  constexpr auto order() const -> vector<std::uint32_t> {
    auto made = first_;
    for (const auto i : placed_) made.push_back(sought_[i].entry);
    for (auto i = last_.size(); i-- > 0;) made.push_back(last_[i]);
    return made;
  }

  /// All sizes are multiples of so many bytes, and so is what any plan needs that is worth a look.
  constexpr auto unit() const -> std::uint64_t { return unit_; }

 private:
  static constexpr std::size_t most_sought = 128;  // each is a call within a call

  /// An entry that is neither first nor last; its life is counted in sections.
  struct sought {
    std::uint32_t entry;
    std::uint32_t first;
    std::uint32_t last;
    std::uint64_t bytes;
    std::uint64_t offset = 0;   // the top of what lies below; its own once it is placed
    std::uint64_t crowd = 0;    // the most bytes that live at once while it does
    std::uint32_t twin = npos;  // another with this life and size, which lies below
    bool is_taken = false;
    std::uint32_t previous = npos;  // of those that are not placed
    std::uint32_t next = npos;
  };
  struct raised_offset {
    std::uint32_t of;
    std::uint64_t before;
  };

  /// Puts aside what is placed first and what is placed last, until there is neither; false: what is first needs too much.
  constexpr auto reduce(std::uint64_t capacity) -> bool {
    first_.clear();
    last_.clear();
    capacity_ = capacity;
    is_left_.assign(needs_.size(), 1);
    left_ = needs_.size();
    beside_.assign(needs_.size(), 0);
    neighbors_.assign(needs_.size(), 0);
    for (std::uint32_t i = 0; i < needs_.size(); ++i) {
      neighbors_[i] = living_with_[i].size();
      for (const auto other : living_with_[i]) beside_[i] += needs_[other].bytes;
      looks_ -= 1 + static_cast<std::int64_t>(neighbors_[i]);
    }
    for (bool again = true; again && looks_ > 0;) {
      again = false;
      for (std::uint32_t i = 0; i < needs_.size(); ++i) {
        if (is_left_[i] == 0) continue;
        if (fits_anywhere(i)) {
          last_.push_back(i);
        } else if (neighbors_[i] + 1 == left_) {
          if (needs_[i].bytes > capacity_) return false;
          first_.push_back(i);
          capacity_ -= needs_[i].bytes;
        } else {
          continue;
        }
        take_away(i);
        again = true;
      }
      looks_ -= static_cast<std::int64_t>(needs_.size());
    }
    return true;
  }

  /// Whether there is room wherever the others lie: what is free beside them is in so many pieces, each of which would be too small by a
  /// unit at least.
  constexpr auto fits_anywhere(std::uint32_t i) const -> bool {
    const auto bytes = needs_[i].bytes;
    return bytes == 0 || beside_[i] + (neighbors_[i] + 1) * (bytes - unit_) < capacity_;
  }
  constexpr void take_away(std::uint32_t i) {
    is_left_[i] = 0;
    --left_;
    for (const auto other : living_with_[i]) {
      neighbors_[other] -= 1;
      beside_[other] -= needs_[i].bytes;
    }
    looks_ -= static_cast<std::int64_t>(living_with_[i].size());
  }

  /// Divides time into sections, one for each largest set of what is left that lives at once; false: one of them needs too much.
  constexpr auto divide() -> bool {
    const auto steps = detail::steps_of(needs_);
    vector<char> begins(steps, 0);
    vector<char> ends(steps, 0);
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (is_left_[i] != 0) begins[needs_[i].first] = ends[needs_[i].last] = 1;
    }
    vector<std::uint32_t> ended{0};  // by step: the sections that end before it
    bool is_open = false;
    for (std::uint32_t step = 0; step < steps; ++step) {
      is_open = is_open || begins[step] != 0;
      const bool closes = is_open && ends[step] != 0;
      ended.push_back(ended.back() + (closes ? 1 : 0));
      is_open = is_open && !closes;
    }
    lowest_.assign(ended.back(), 0);
    unplaced_bytes_.assign(ended.back(), 0);
    sought_.clear();
    placed_.clear();
    raised_.clear();
    for (std::uint32_t i = 0; i < needs_.size(); ++i) {
      if (is_left_[i] == 0) continue;
      const auto& life = needs_[i];
      sought_.push_back({.entry = i, .first = ended[life.first], .last = ended[life.last + 1] - 1, .bytes = life.bytes});
      add_unplaced(sought_.back());
    }
    looks_ -= steps;
    return std::all_of(unplaced_bytes_.begin(), unplaced_bytes_.end(), [this](std::uint64_t bytes) { return bytes <= capacity_; });
  }

  constexpr void add_unplaced(const sought& each) {
    for (auto s = each.first; s <= each.last; ++s) unplaced_bytes_[s] += each.bytes;
  }

  /// What is hard to place is tried first: the most crowded, of these the longest-lived.
  constexpr void rank() {
    for (auto& each : sought_) {
      for (auto s = each.first; s <= each.last; ++s) each.crowd = std::max(each.crowd, unplaced_bytes_[s]);
    }
    sort(sought_.begin(), sought_.end(), [](const sought& a, const sought& b) {
      if (a.crowd != b.crowd) return a.crowd > b.crowd;
      if (a.last - a.first != b.last - b.first) return a.last - a.first > b.last - b.first;
      if (a.bytes != b.bytes) return a.bytes > b.bytes;
      return a.first != b.first ? a.first < b.first : a.entry < b.entry;
    });
    unplaced_ = sought_.empty() ? npos : 0;
    for (std::uint32_t i = 1; i < sought_.size(); ++i) {
      auto& other = sought_[i - 1];
      auto& each = sought_[i];
      if (other.first == each.first && other.last == each.last && other.bytes == each.bytes) each.twin = i - 1;
      each.previous = i - 1;
      other.next = i;
    }
    looks_ -= 30 * static_cast<std::int64_t>(sought_.size());  // what it takes to make and to sort them
  }

  /// Places the rest, by ascending offsets and, where these are equal, ascending indices: none below `at`, there none before `from`.
  constexpr auto place_next(std::uint64_t at, std::uint32_t from) -> search_result {
    if (unplaced_ == npos) return search_result::found;
    const auto limit = limit_of_offset(at);
    for (auto i = candidate(at, from, limit); i != npos; i = candidate(at, from, limit)) {
      if (looks_ <= 0) return search_result::given_up;
      const auto kept = raised_.size();
      at = sought_[i].offset;
      from = i + 1;
      put(i);
      const auto made = place_next(at, from);
      if (made != search_result::impossible) return made;
      take_back(i, kept);
    }
    return search_result::impossible;
  }

  // What follows runs often: pointers and conditional expressions cost Clang the fewest steps.

  /// Whatever is placed next lies below this, since another fits beneath it otherwise; 0: what lives at once in some section does not fit
  /// above the lowest offset that is left there.
  constexpr auto limit_of_offset(std::uint64_t at) -> std::uint64_t {
    const auto* const all = sought_.data();
    auto* const lowest = lowest_.data();
    const auto sections = lowest_.size();
    auto limit = capacity_;
    for (std::size_t s = 0; s < sections; ++s) lowest[s] = capacity_;
    for (auto i = unplaced_; i != npos; i = all[i].next) {
      const auto least = all[i].offset > at ? all[i].offset : at;
      limit = least + all[i].bytes < limit ? least + all[i].bytes : limit;
      for (auto s = all[i].first; s <= all[i].last; ++s) lowest[s] = lowest[s] < least ? lowest[s] : least;
      looks_ -= 1 + (all[i].last - all[i].first) / 4;
    }
    looks_ -= static_cast<std::int64_t>(sections);
    const auto* const bytes = unplaced_bytes_.data();
    for (std::size_t s = 0; s < sections; ++s) limit = lowest[s] + bytes[s] > capacity_ ? 0 : limit;
    return limit;
  }

  /// The lowest that may be placed next; `npos`: none.
  constexpr auto candidate(std::uint64_t at, std::uint32_t from, std::uint64_t limit) -> std::uint32_t {
    const auto* const all = sought_.data();
    auto found = npos;
    std::int64_t count = 0;
    for (auto i = limit == 0 ? npos : unplaced_; i != npos; i = all[i].next, ++count) {
      const auto offset = all[i].offset;
      if (offset < limit && (offset > at || (offset == at && i >= from)) && (all[i].twin == npos || all[all[i].twin].is_taken))
        limit = all[found = i].offset;
    }
    looks_ -= count;
    return found;
  }

  constexpr void put(std::uint32_t i) {
    auto* const all = sought_.data();
    const auto chosen = all[i];
    all[i].is_taken = true;
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
    looks_ -= count;
  }

  constexpr void take_back(std::uint32_t i, std::size_t raised) {
    for (; raised_.size() > raised; raised_.pop_back()) sought_[raised_.back().of].offset = raised_.back().before;
    auto& chosen = sought_[i];
    chosen.is_taken = false;
    (chosen.previous == npos ? unplaced_ : sought_[chosen.previous].next) = i;
    if (chosen.next != npos) sought_[chosen.next].previous = i;
    placed_.pop_back();
    add_unplaced(chosen);
  }

  span<const lifetime> needs_;
  vector<vector<std::uint32_t>> living_with_;
  std::uint64_t unit_ = 1;
  std::int64_t looks_ = 0;
  std::uint64_t capacity_ = 0;  // above what is placed first
  vector<std::uint32_t> first_;
  vector<std::uint32_t> last_;  // to be placed in reverse
  vector<char> is_left_;        // by entry: neither first nor last
  std::size_t left_ = 0;
  vector<std::uint64_t> beside_;          // by entry: bytes of what is left and lives with it
  vector<std::size_t> neighbors_;         // by entry: how many these are
  vector<sought> sought_;                 // the order in which they are tried
  std::uint32_t unplaced_ = npos;         // the first of those that are not placed
  vector<std::uint32_t> placed_;          // indices, in order
  vector<raised_offset> raised_;          // to be undone
  vector<std::uint64_t> lowest_;          // by section: the lowest offset left
  vector<std::uint64_t> unplaced_bytes_;  // by section
};

}  // namespace baton
