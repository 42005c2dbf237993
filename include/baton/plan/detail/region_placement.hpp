// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placement in the two regions of a split arena (see `memory_regions`). The items with the most uses per step of their lifetime are placed
// in the fast region.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/first_fit.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/lower_bound.hpp>
#include <baton/plan/shared/placement_strategies.hpp>
#include <baton/plan/shared/regions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// A placement that fills the fast region with items in a given order, and places the remaining items in the slow region. If the remaining
/// items do not fit, the placement is repeated with other orders.
class region_placement {
 public:
  constexpr region_placement(span<const lifetime> needs, span<const std::uint32_t> uses, const memory_regions& regions)
      : needs_(needs),
        uses_(uses),
        regions_(regions) {}

 private:
  constexpr auto steps(std::uint32_t i) const -> std::uint64_t { return std::uint64_t{needs_[i].last} - needs_[i].first + 1; }

  // `try_order` is defined before `run`, because Clang cannot evaluate a member template that is defined after its use.
  template <class Before>
  constexpr auto try_order(Before before, std::string_view strategy) -> bool {
    const auto must_be_fast = [this](std::uint32_t i) { return needs_[i].bytes > regions_.slow; };
    const auto order = sorted_numbers(
        [&](std::uint32_t a, std::uint32_t b) { return must_be_fast(a) != must_be_fast(b) ? must_be_fast(a) : before(a, b); },
        needs_.size());
    auto fast = first_fit(needs_).run(order, regions_.fast);
    vector<lifetime> remaining;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (fast.offsets[i] == first_fit::nowhere) remaining.push_back(needs_[i]);
    }
    const auto slow = place_best(remaining, std::max(lower_bound(remaining), regions_.slow));
    const bool fits = slow.bytes <= regions_.slow;
    if (!best_.strategy.empty() && !fits && slow.bytes >= best_.used.slow) return false;
    std::size_t next = 0;
    for (auto& offset : fast.offsets) {
      if (offset == first_fit::nowhere) offset = regions_.fast + slow.offsets[next++];
    }
    best_ = {std::move(fast.offsets), {fast.bytes, slow.bytes}, strategy, fits};
    return fits;
  }

 public:
  constexpr auto run() -> split_layout {
    const auto is_used_more = [this](std::uint32_t a, std::uint32_t b) {
      const auto uses_of_a = uses_[a] * steps(b);
      const auto uses_of_b = uses_[b] * steps(a);
      return uses_of_a != uses_of_b ? uses_of_a > uses_of_b : needs_[a].bytes > needs_[b].bytes;
    };
    if (try_order(is_used_more, "most used first")) return std::move(best_);
    for (const auto& order : placing_orders) {
      if (try_order([&](std::uint32_t a, std::uint32_t b) { return order.before(needs_[a], needs_[b]); }, order.name)) break;
    }
    return std::move(best_);
  }

 private:
  span<const lifetime> needs_;
  span<const std::uint32_t> uses_;
  memory_regions regions_;
  split_layout best_;
};

/// Places items in two regions; no item spans both. `uses[i]` is the number of reads and writes of item i. If all items fit into the fast
/// region, all are placed there. Otherwise, the fast region is filled with the items that are larger than the slow region, followed by the
/// items with the most uses per step of their lifetime. The remaining items are placed in the slow region. If the remaining items do not
/// fit, other orders are tried, and the first layout that fits is returned. If none fits, `used.slow` of the result is a sufficient size of
/// the slow region. O(n log n) for n items if few items are live at the same time.
constexpr auto place_in_regions(span<const lifetime> needs, span<const std::uint32_t> uses, const memory_regions& regions) -> split_layout {
  if (lower_bound(needs) <= regions.fast) {
    auto all = place_best(needs, regions.fast);
    if (all.bytes <= regions.fast) return {std::move(all.offsets), {all.bytes, 0}, all.strategy, true};
  }
  auto layout = region_placement(needs, uses, regions).run();
  auto enlarged = regions;
  for (auto attempt = layout; !attempt.fits; attempt = region_placement(needs, uses, enlarged).run()) {
    layout.used.slow = enlarged.slow = attempt.used.slow;
  }
  return layout;
}

}  // namespace baton::detail
