// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placement strategies. Each strategy returns offsets at which simultaneously live items are disjoint.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/exact_search.hpp>
#include <baton/plan/detail/first_fit.hpp>
#include <baton/plan/detail/object_placement.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/lower_bound.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// Places all items contiguously, each in memory of its own, so that all values can be inspected after a run.
constexpr auto place_without_reuse(span<const lifetime> items) -> memory_layout {
  memory_layout layout;
  for (const auto& item : items) {
    layout.offsets.push_back(layout.bytes);
    layout.bytes += item.bytes;
  }
  return layout;
}

/// Places items by ExecuTorch's greedy algorithm, in memory objects. A memory object is a block of bytes for several items; the objects are
/// contiguous. Items are placed by descending size, and items of equal size by descending index. Each item is placed in the first of these
/// objects that exists:
/// - the first object that contains no simultaneously live item;
/// - the first object with enough room after its simultaneously live items;
/// - a new object, which has the size of the item.
constexpr auto place_in_objects(span<const lifetime> items) -> memory_layout {
  auto order = detail::sorted_items(items, [](const lifetime& a, const lifetime& b) { return a.bytes < b.bytes; });
  std::reverse(order.begin(), order.end());
  return detail::object_placement(items).run(order);
}

namespace detail {

/// An order in which items may be placed. Each order yields the smallest placement for some graphs.
struct placing_order {
  std::string_view name;
  bool (*before)(const lifetime&, const lifetime&);
};

/// The orders that `place_best` tries, from first to last.
inline constexpr placing_order placing_orders[] = {
    {"largest first", [](const lifetime& a, const lifetime& b) { return a.bytes > b.bytes; }},
    {"program order", [](const lifetime& a, const lifetime& b) { return a.first < b.first; }},
    {"longest first", [](const lifetime& a, const lifetime& b) { return a.last - a.first > b.last - b.first; }},
    {"largest times longest first",
     [](const lifetime& a, const lifetime& b) { return a.bytes * (a.last - a.first + 1) > b.bytes * (b.last - b.first + 1); }},
    {"reverse program order", [](const lifetime& a, const lifetime& b) { return a.last > b.last; }},
};

/// Returns the budget of `place_exactly`: the approximate maximum number of item inspections in its search. An inspection costs about 10
/// steps of Clang's constant evaluation. Each item and each pair of simultaneously live items reduce the budget, because later planning
/// needs steps for them. Therefore, planning with the search stays within the default limits of compilers if planning without the search
/// does.
constexpr auto search_budget(span<const lifetime> items) -> std::int64_t {
  constexpr std::int64_t cost_per_item = 60;
  constexpr std::int64_t cost_per_pair = 10;
  std::int64_t budget = 18'000;
  const auto steps = steps_of(items);
  vector<std::int64_t> begin(steps + 1, 0);
  vector<std::int64_t> ended(steps + 1, 0);
  for (const auto& item : items) {
    ++begin[item.first];
    ++ended[item.last + 1];
  }
  std::int64_t live = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    live -= ended[step];
    budget -= begin[step] * cost_per_item + (begin[step] * live + begin[step] * (begin[step] - 1) / 2) * cost_per_pair;
    live += begin[step];
  }
  return std::max<std::int64_t>(0, budget);
}

/// Searches for a placement smaller than `best`, and stores it in `best`. `bound` is a lower bound of the size, in bytes. The first attempt
/// tries `bound` bytes. Each further attempt tries the middle between the size of the last failed attempt and the size of `best`. Each
/// attempt may use three quarters of the remaining budget. Stops if the minimum is known, or if at most 1/16 of the budget is left.
constexpr void place_exactly(span<const lifetime> items, std::uint64_t bound, placement& best) {
  const auto total_budget = search_budget(items);
  if (total_budget == 0) return;
  exact_search search(items);
  const auto unit = search.unit();
  auto budget = total_budget;
  auto tried = (bound + unit - 1) / unit * unit;
  auto failed_bytes = tried - unit;
  best.is_optimal = true;
  while (failed_bytes + unit < best.bytes) {
    auto share = budget > total_budget / 16 ? budget / 4 * 3 : 0;
    budget -= share;
    const auto outcome = share == 0 ? search_result::given_up : search.run(tried, share);
    budget += share;
    if (outcome == search_result::found) {
      best = {first_fit(items).run(search.order()), "exact search", best.is_optimal};
    } else {
      failed_bytes = tried;
      if (outcome == search_result::given_up) best.is_optimal = false;
    }
    tried = failed_bytes + (best.bytes - failed_bytes) / 2 / unit * unit;
  }
}

}  // namespace detail

/// Tries first fit in several placement orders, then `place_in_objects`, until a placement needs at most `enough` bytes. Returns the
/// smallest placement, or the first of several equally small placements. `is_optimal` is true if the placement needs at most `enough`
/// bytes. It is also true if a lower bound or the search proves that no smaller placement exists. If all placements need more than `enough`
/// bytes and more than the maximum of simultaneously live bytes, `exact_search` searches for a smaller placement. The search budget depends
/// on the lifetimes alone, so the result is the same at compile time and at run time. O(n log n) for n items if few items are live at the
/// same time.
constexpr auto place_best(span<const lifetime> items, std::uint64_t enough) -> placement {
  placement best{{{}, UINT64_MAX}, {}};
  const auto keep_best = [&](memory_layout layout, std::string_view strategy) {
    if (layout.bytes < best.bytes) best = {std::move(layout), strategy};
    best.is_optimal = best.bytes <= enough;
    return best.is_optimal;
  };
  detail::first_fit fit(items);
  for (const auto& order : detail::placing_orders) {
    if (keep_best(fit.run(detail::sorted_items(items, order.before)), order.name)) return best;
  }
  if (keep_best(place_in_objects(items), "objects, largest first")) return best;
  const auto bound = std::max(enough, lower_bound(items));
  best.is_optimal = best.bytes <= bound;
  if (!best.is_optimal) detail::place_exactly(items, bound, best);
  return best;
}

}  // namespace baton
