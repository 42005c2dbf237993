// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Ways of placing things with lifetimes in memory: each gives offsets at which nothing overlaps what lives with it.
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

/// Everything in memory of its own, one after the other: what was there can be looked at afterwards.
constexpr auto place_apart(span<const lifetime> needs) -> memory_layout {
  memory_layout made;
  for (const auto& need : needs) {
    made.offsets.push_back(made.bytes);
    made.bytes += need.bytes;
  }
  return made;
}

/// ExecuTorch's greedy algorithm: the largest first, of equal ones the later first, each in the first object of memory in which nothing
/// lives with it, else behind what does in the first object that has room, else in an object of its own; objects lie back to back.
constexpr auto place_in_objects(span<const lifetime> needs) -> memory_layout {
  auto order = detail::ordered(needs, [](const lifetime& a, const lifetime& b) { return a.bytes < b.bytes; });
  std::reverse(order.begin(), order.end());
  return detail::object_placement(needs).run(order);
}

namespace detail {

/// An order in which entries may be placed; each wins on some graphs.
struct placing_order {
  std::string_view name;
  bool (*before)(const lifetime&, const lifetime&);
};

/// Those that `place_best` tries, in this order.
inline constexpr placing_order placing_orders[] = {
    {"largest first", [](const lifetime& a, const lifetime& b) { return a.bytes > b.bytes; }},
    {"program order", [](const lifetime& a, const lifetime& b) { return a.first < b.first; }},
    {"longest first", [](const lifetime& a, const lifetime& b) { return a.last - a.first > b.last - b.first; }},
    {"largest times longest first",
     [](const lifetime& a, const lifetime& b) { return a.bytes * (a.last - a.first + 1) > b.bytes * (b.last - b.first + 1); }},
    {"reverse program order", [](const lifetime& a, const lifetime& b) { return a.last > b.last; }},
};

/// The looks at entries that the search for the least memory has, each some ten of Clang's steps. They are fewer where there are more
/// entries and more of them live at once, since their plan takes steps too: what a compiler's default limits hold without a search, they
/// hold with it.
constexpr auto looks_for(span<const lifetime> needs) -> std::int64_t {
  constexpr std::int64_t of_entry = 60;
  constexpr std::int64_t of_pair = 10;
  std::int64_t looks = 18'000;
  const auto steps = steps_of(needs);
  vector<std::int64_t> begin(steps + 1, 0);
  vector<std::int64_t> ended(steps + 1, 0);
  for (const auto& need : needs) {
    ++begin[need.first];
    ++ended[need.last + 1];
  }
  std::int64_t live = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    live -= ended[step];
    looks -= begin[step] * of_entry + (begin[step] * live + begin[step] * (begin[step] - 1) / 2) * of_pair;
    live += begin[step];
  }
  return std::max<std::int64_t>(0, looks);
}

/// Searches for less than was found: first for the bound, then halving what lies between what is possible and what is not, until it knows
/// or has looked too often. Each try has three quarters of the looks that are left.
constexpr void place_exactly(span<const lifetime> needs, std::uint64_t bound, placement& best) {
  const auto all_looks = looks_for(needs);
  if (all_looks == 0) return;
  exact_search search(needs);
  const auto unit = search.unit();
  auto looks = all_looks;
  auto tried = (bound + unit - 1) / unit * unit;
  auto too_little = tried - unit;
  best.is_optimal = true;
  while (too_little + unit < best.bytes) {
    auto some = looks > all_looks / 16 ? looks / 4 * 3 : 0;
    looks -= some;
    const auto found = some == 0 ? search_result::given_up : search.run(tried, some);
    looks += some;
    if (found == search_result::found) {
      best = {first_fit(needs).run(search.order()), "exact search", best.is_optimal};
    } else {
      too_little = tried;
      if (found == search_result::given_up) best.is_optimal = false;
    }
    tried = too_little + (best.bytes - too_little) / 2 / unit * unit;
  }
}

}  // namespace detail

/// Tries orders of placing, each entry at the lowest offset that is free, then objects, until one needs no more than `enough`; the first
/// that needs least is taken. Where all need more than what lives at once, `exact_search` looks for less, in a number of steps that the
/// lifetimes fix: a plan is the same at compile time and at run time. Near-linear where little lives at once.
constexpr auto place_best(span<const lifetime> needs, std::uint64_t enough) -> placement {
  placement best{{{}, UINT64_MAX}, {}};
  const auto take = [&](memory_layout made, std::string_view way) {
    if (made.bytes < best.bytes) best = {std::move(made), way};
    best.is_optimal = best.bytes <= enough;
    return best.is_optimal;
  };
  detail::first_fit fit(needs);
  for (const auto& order : detail::placing_orders) {
    if (take(fit.run(detail::ordered(needs, order.before)), order.name)) return best;
  }
  if (take(place_in_objects(needs), "objects, largest first")) return best;
  const auto bound = std::max(enough, lower_bound(needs));
  best.is_optimal = best.bytes <= bound;
  if (!best.is_optimal) detail::place_exactly(needs, bound, best);
  return best;
}

}  // namespace baton
