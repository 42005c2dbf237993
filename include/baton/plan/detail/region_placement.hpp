// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placing in two regions of memory: what is used most for its time lies in the fast one.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/first_fit.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/lower_bound.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/ways_of_placing.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// Fills the fast region in one order after the other, until what is left fits the slow one.
class region_placement {
 public:
  constexpr region_placement(span<const lifetime> needs, span<const std::uint32_t> uses, const memory_regions& regions)
      : needs_(needs),
        uses_(uses),
        regions_(regions) {}

 private:
  // Before it is used: Clang evaluates no template of a class that comes later.
  constexpr auto steps(std::uint32_t i) const -> std::uint64_t { return std::uint64_t{needs_[i].last} - needs_[i].first + 1; }

  template <class Before>
  constexpr auto take(Before before, std::string_view way) -> bool {
    const auto has_no_choice = [this](std::uint32_t i) { return needs_[i].bytes > regions_.slow; };
    const auto order =
        ordered_by([&](std::uint32_t a, std::uint32_t b) { return has_no_choice(a) != has_no_choice(b) ? has_no_choice(a) : before(a, b); },
                   needs_.size());
    auto fast = first_fit(needs_).run(order, regions_.fast);
    vector<lifetime> left;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (fast.offsets[i] == first_fit::nowhere) left.push_back(needs_[i]);
    }
    const auto slow = place_best(left, std::max(lower_bound(left), regions_.slow));
    const bool fits = slow.bytes <= regions_.slow;
    if (!best_.way.empty() && !fits && slow.bytes >= best_.used.slow) return false;
    std::size_t next = 0;
    for (auto& offset : fast.offsets) {
      if (offset == first_fit::nowhere) offset = regions_.fast + slow.offsets[next++];
    }
    best_ = {std::move(fast.offsets), {fast.bytes, slow.bytes}, way, fits};
    return fits;
  }

 public:
  constexpr auto run() -> split_layout {
    const auto is_used_more = [this](std::uint32_t a, std::uint32_t b) {
      const auto of_a = uses_[a] * steps(b);
      const auto of_b = uses_[b] * steps(a);
      return of_a != of_b ? of_a > of_b : needs_[a].bytes > needs_[b].bytes;
    };
    if (take(is_used_more, "most used first")) return std::move(best_);
    for (const auto& order : placing_orders) {
      if (take([&](std::uint32_t a, std::uint32_t b) { return order.before(needs_[a], needs_[b]); }, order.name)) break;
    }
    return std::move(best_);
  }

 private:
  span<const lifetime> needs_;
  span<const std::uint32_t> uses_;
  memory_regions regions_;
  split_layout best_;
};

/// Places entries in two regions, none across both; `uses` says, by entry, how often it is read or written. All lie in the fast region if
/// they fit. Else it is filled with those that have the most uses for their time, and what is left lies in the slow region; where that does
/// not fit, other orders are tried, and the first that fits is taken. Near-linear where little lives at once.
constexpr auto place_in_regions(span<const lifetime> needs, span<const std::uint32_t> uses, const memory_regions& regions) -> split_layout {
  if (lower_bound(needs) <= regions.fast) {
    auto all = place_best(needs, regions.fast);
    if (all.bytes <= regions.fast) return {std::move(all.offsets), {all.bytes, 0}, all.way, true};
  }
  auto made = region_placement(needs, uses, regions).run();
  auto enough = regions;
  for (auto tried = made; !tried.fits; tried = region_placement(needs, uses, enough).run()) {
    made.used.slow = enough.slow = tried.used.slow;
  }
  return made;
}

}  // namespace baton::detail
