// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// First fit: places items one by one, in a given order, at the lowest free offset.
#pragma once

#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/lifetime_index.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Returns the numbers from 0 to `count` - 1, stably sorted by `before`. Uses a bottom-up merge sort that skips a merge if the two halves
/// are already in order. Therefore, the sort needs few steps of constant evaluation if many items are equal or already sorted.
template <class Before>
constexpr auto sorted_numbers(Before before, std::size_t count) -> vector<std::uint32_t> {
  vector<std::uint32_t> order(count, 0);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  vector<std::uint32_t> lower;
  for (std::size_t half = 1; half < count; half *= 2) {
    for (std::size_t first = 0; first + half < count; first += 2 * half) {
      auto upper = first + half;
      if (!before(order[upper], order[upper - 1])) continue;
      const auto end = std::min(upper + half, count);
      lower.assign(order.begin() + first, order.begin() + upper);
      auto at = first;
      for (std::size_t left = 0; left < half; ++at) {
        order[at] = upper < end && before(order[upper], lower[left]) ? order[upper++] : lower[left++];
      }
    }
  }
  return order;
}
/// Returns the indices of items, stably sorted by a comparison of their lifetimes.
template <class Before>
constexpr auto sorted_items(span<const lifetime> items, Before before) -> vector<std::uint32_t> {
  const auto* const lifetimes = items.data();
  return sorted_numbers([&](std::uint32_t a, std::uint32_t b) { return before(lifetimes[a], lifetimes[b]); }, items.size());
}

/// A placement of items one by one, each at the lowest offset at which it overlaps no simultaneously live item. An item that would end
/// after `limit` bytes is not placed, and its offset is `nowhere`.
class first_fit {
 public:
  static constexpr std::uint64_t nowhere = UINT64_MAX;

  constexpr explicit first_fit(span<const lifetime> items) : items_(items), index_(items) {}

  constexpr auto run(span<const std::uint32_t> order, std::uint64_t limit = UINT64_MAX) -> memory_layout {
    index_.clear();
    memory_layout layout{vector<std::uint64_t>(items_.size(), 0), 0};
    for (const auto item : order) {
      const auto offset = lowest_offset(item, layout.offsets);
      const auto end = offset + items_[item].bytes;
      layout.offsets[item] = end <= limit ? offset : nowhere;
      if (end > limit) continue;
      layout.bytes = std::max(layout.bytes, end);
      index_.insert(item);
    }
    return layout;
  }

 private:
  constexpr auto lowest_offset(std::uint32_t item, const vector<std::uint64_t>& all_offsets) -> std::uint64_t {
    const auto* const offsets = all_offsets.data();
    others_.clear();
    index_.for_each_simultaneous(item, [this](std::uint32_t other) { others_.push_back(other); });
    sort(others_.begin(), others_.end(), [&](std::uint32_t a, std::uint32_t b) { return offsets[a] < offsets[b]; });
    std::uint64_t at = 0;
    for (const auto other : others_) {
      if (offsets[other] >= at + items_[item].bytes) break;
      at = std::max(at, offsets[other] + items_[other].bytes);
    }
    return at;
  }

  span<const lifetime> items_;
  lifetime_index index_;
  vector<std::uint32_t> others_;
};

}  // namespace baton::detail
