// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Ways of placing things with lifetimes in memory: each gives offsets at which nothing overlaps what lives with it.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/plan/detail/exact_search.hpp>
#include <baton/plan/detail/lifetime_index.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// Offsets by entry, and the bytes that all need together.
struct placed {
  vector<std::uint64_t> offsets;
  std::uint64_t bytes = 0;
};

/// Everything in memory of its own, one after the other: what was there can be looked at afterwards.
constexpr auto place_apart(std::span<const lifetime> needs) -> placed {
  placed made;
  for (const auto& need : needs) {
    made.offsets.push_back(made.bytes);
    made.bytes += need.bytes;
  }
  return made;
}

namespace detail {

/// The entries in the order that a relation of their numbers gives, the earlier one first where it gives none.
template <class Before>
constexpr auto ordered_by(Before before, std::size_t count) -> vector<std::uint32_t> {
  vector<std::uint32_t> order;
  order.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return before(a, b) || (!before(b, a) && a < b); });
  return order;
}
/// The same by a relation of lifetimes.
template <class Before>
constexpr auto ordered(std::span<const lifetime> needs, Before before) -> vector<std::uint32_t> {
  return ordered_by([&](std::uint32_t a, std::uint32_t b) { return before(needs[a], needs[b]); }, needs.size());
}

/// Objects of memory as ExecuTorch's greedy planner opens them.
class object_placement {
 public:
  constexpr explicit object_placement(std::span<const lifetime> needs)
      : needs_(needs),
        index_(needs),
        object_of_(needs.size(), 0),
        offset_in_object_(needs.size(), 0) {}

  constexpr auto run(std::span<const std::uint32_t> order) -> placed {
    for (const auto entry : order) place(entry);
    vector<std::uint64_t> base;
    placed made;
    for (const auto size : sizes_) {
      base.push_back(made.bytes);
      made.bytes += size;
    }
    for (std::uint32_t i = 0; i < needs_.size(); ++i) made.offsets.push_back(base[object_of_[i]] + offset_in_object_[i]);
    return made;
  }

 private:
  struct taken {
    std::uint32_t object;
    std::uint64_t end;
  };

  /// The objects that hold something that lives with an entry, ascending, and where it ends there.
  constexpr auto taken_for(std::uint32_t entry) const -> vector<taken> {
    vector<taken> found;
    index_.for_each_living_with(
        entry, [&](std::uint32_t other) { found.push_back({object_of_[other], offset_in_object_[other] + needs_[other].bytes}); });
    std::sort(found.begin(), found.end(),
              [](const taken& a, const taken& b) { return a.object < b.object || (a.object == b.object && a.end > b.end); });
    const auto same = [](const taken& a, const taken& b) { return a.object == b.object; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    return found;
  }

  constexpr void place(std::uint32_t entry) {
    const auto taken_objects = taken_for(entry);
    std::uint32_t object = 0;  // the first of which nothing is taken
    while (object < taken_objects.size() && taken_objects[object].object == object) ++object;
    std::uint64_t offset = 0;
    if (object == sizes_.size()) {
      for (const auto& candidate : taken_objects) {
        if (candidate.end + needs_[entry].bytes > sizes_[candidate.object]) continue;
        object = candidate.object;
        offset = candidate.end;
        break;
      }
    }
    if (object == sizes_.size()) sizes_.push_back(needs_[entry].bytes);
    object_of_[entry] = object;
    offset_in_object_[entry] = offset;
    index_.insert(entry);
  }

  std::span<const lifetime> needs_;
  lifetime_index index_;
  vector<std::uint32_t> object_of_;
  vector<std::uint64_t> offset_in_object_;
  vector<std::uint64_t> sizes_;
};

}  // namespace detail

/// ExecuTorch's greedy algorithm: the largest first, of equal ones the later first, each in the first object of memory in which nothing
/// lives with it, else behind what does in the first object that has room, else in an object of its own; objects lie back to back.
constexpr auto place_in_objects(std::span<const lifetime> needs) -> placed {
  auto order = detail::ordered(needs, [](const lifetime& a, const lifetime& b) { return a.bytes < b.bytes; });
  std::reverse(order.begin(), order.end());
  return detail::object_placement(needs).run(order);
}

namespace detail {

/// Places entries one after the other, each at the lowest offset where it overlaps nothing that lives with it; `nowhere` if that is not
/// within `limit` bytes.
class first_fit {
 public:
  static constexpr std::uint64_t nowhere = UINT64_MAX;

  constexpr explicit first_fit(std::span<const lifetime> needs) : needs_(needs), index_(needs) {}

  constexpr auto run(std::span<const std::uint32_t> order, std::uint64_t limit = UINT64_MAX) -> placed {
    index_.clear();
    placed made{vector<std::uint64_t>(needs_.size(), 0), 0};
    for (const auto entry : order) {
      const auto offset = lowest_offset(entry, made.offsets);
      const auto end = offset + needs_[entry].bytes;
      made.offsets[entry] = end <= limit ? offset : nowhere;
      if (end > limit) continue;
      made.bytes = std::max(made.bytes, end);
      index_.insert(entry);
    }
    return made;
  }

 private:
  constexpr auto lowest_offset(std::uint32_t entry, const vector<std::uint64_t>& offsets) -> std::uint64_t {
    others_.clear();
    index_.for_each_living_with(entry, [this](std::uint32_t other) { others_.push_back(other); });
    std::sort(others_.begin(), others_.end(), [&](std::uint32_t a, std::uint32_t b) { return offsets[a] < offsets[b]; });
    std::uint64_t at = 0;
    for (const auto other : others_) {
      if (offsets[other] >= at + needs_[entry].bytes) break;
      at = std::max(at, offsets[other] + needs_[other].bytes);
    }
    return at;
  }

  std::span<const lifetime> needs_;
  lifetime_index index_;
  vector<std::uint32_t> others_;
};

/// An order in which entries may be placed; each wins on some graphs.
struct placing_order {
  std::string_view name;
  bool (*before)(const lifetime&, const lifetime&);
};

inline constexpr placing_order placing_orders[] = {
    {"largest first", [](const lifetime& a, const lifetime& b) { return a.bytes > b.bytes; }},
    {"program order", [](const lifetime& a, const lifetime& b) { return a.first < b.first; }},
    {"longest first", [](const lifetime& a, const lifetime& b) { return a.last - a.first > b.last - b.first; }},
    {"largest times longest first",
     [](const lifetime& a, const lifetime& b) { return a.bytes * (a.last - a.first + 1) > b.bytes * (b.last - b.first + 1); }},
    {"reverse program order", [](const lifetime& a, const lifetime& b) { return a.last > b.last; }},
};

}  // namespace detail

/// The best of several ways, what it is called, and whether it is known that no placing needs less.
struct best_placed {
  placed made;
  std::string_view way;
  bool is_optimal = false;
};

namespace detail {

/// The looks at entries that the search for the least memory has, each some ten of Clang's steps. They are fewer where there are more
/// entries and more of them live at once, since their plan takes steps too: what a compiler's default limits hold without a search, they
/// hold with it.
constexpr auto looks_for(std::span<const lifetime> needs) -> std::int64_t {
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
constexpr void place_exactly(std::span<const lifetime> needs, std::uint64_t bound, best_placed& best) {
  const auto all_looks = looks_for(needs);
  if (all_looks == 0) return;
  exact_search search(needs);
  const auto unit = search.unit();
  auto looks = all_looks;
  auto tried = (bound + unit - 1) / unit * unit;
  auto too_little = tried - unit;
  best.is_optimal = true;
  while (too_little + unit < best.made.bytes) {
    auto some = looks > all_looks / 16 ? looks / 4 * 3 : 0;
    looks -= some;
    const auto found = some == 0 ? search_result::given_up : search.run(tried, some);
    looks += some;
    if (found == search_result::found) {
      best.made = first_fit(needs).run(search.order());
      best.way = "exact search";
    } else {
      too_little = tried;
      if (found == search_result::given_up) best.is_optimal = false;
    }
    tried = too_little + (best.made.bytes - too_little) / 2 / unit * unit;
  }
}

}  // namespace detail

/// Tries orders of placing, each entry at the lowest offset that is free, then objects, until one needs no more than `enough`; the first
/// that needs least is taken. Where all need more than what lives at once, `exact_search` looks for less, in a number of steps that the
/// lifetimes fix: a plan is the same at compile time and at run time. Near-linear where little lives at once.
constexpr auto place_best(std::span<const lifetime> needs, std::uint64_t enough) -> best_placed {
  best_placed best{{{}, UINT64_MAX}, {}};
  const auto take = [&](placed made, std::string_view way) {
    if (made.bytes < best.made.bytes) best = {std::move(made), way};
    best.is_optimal = best.made.bytes <= enough;
    return best.is_optimal;
  };
  detail::first_fit placing(needs);
  for (const auto& order : detail::placing_orders) {
    if (take(placing.run(detail::ordered(needs, order.before)), order.name)) return best;
  }
  if (take(place_in_objects(needs), "objects, largest first")) return best;
  const auto bound = std::max(enough, lower_bound(needs));
  best.is_optimal = best.made.bytes <= bound;
  if (!best.is_optimal) detail::place_exactly(needs, bound, best);
  return best;
}

}  // namespace baton
