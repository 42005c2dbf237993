// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/sort.hpp>

#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

/// Returns `count` pseudorandom numbers less than `range`.
constexpr auto numbers(std::size_t count, std::uint32_t range, std::uint32_t seed) -> baton::vector<std::uint32_t> {
  baton::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    result.push_back((seed >> 8) % range);
  }
  return result;
}

constexpr auto sorts(std::size_t count, std::uint32_t range) -> bool {
  const auto unsorted = numbers(count, range, 1);
  auto ours = unsorted;
  auto theirs = unsorted;
  baton::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  if (ours != theirs) return false;
  const auto descending = [](std::uint32_t a, std::uint32_t b) { return b < a; };
  baton::sort(ours.begin(), ours.end(), descending);
  std::sort(theirs.begin(), theirs.end(), descending);
  return ours == theirs;
}

constexpr auto sorts_all() -> bool {
  for (const std::size_t count : {0u, 1u, 2u, 3u, 15u, 16u, 17u, 18u, 33u, 100u}) {
    for (const std::uint32_t range : {1u, 2u, 10u, 1000000u}) {
      if (!sorts(count, range)) return false;
    }
  }
  return true;
}
static_assert(sorts_all());

/// Items that own memory are moved, and none is lost.
constexpr auto sorts_owning_items() -> bool {
  baton::vector<baton::vector<std::uint32_t>> items;
  for (const auto number : numbers(40, 50, 3)) items.push_back(baton::vector<std::uint32_t>(number % 7 + 1, number));
  baton::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.front() < b.front(); });
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].size() != items[i].front() % 7 + 1 || (i > 0 && items[i].front() < items[i - 1].front())) return false;
  }
  return items.size() == 40;
}
static_assert(sorts_owning_items());

}  // namespace

TEST_CASE("sort returns the order of std::sort") {
  CHECK(sorts_all());
  CHECK(sorts_owning_items());
  for (const std::size_t count : {1000u, 4096u, 100000u}) {
    CHECK(sorts(count, 0xffffffu));
    CHECK(sorts(count, 3));
  }
}

TEST_CASE("sort needs O(n log n) comparisons in any order of the items") {
  const std::size_t count = 1 << 14;
  for (int form = 0; form < 4; ++form) {
    auto items = numbers(count, form == 3 ? 2 : 0xffffffu, 5);
    if (form == 1 || form == 2) std::sort(items.begin(), items.end());
    if (form == 2) std::reverse(items.begin(), items.end());
    std::size_t comparisons = 0;
    baton::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) { return ++comparisons, a < b; });
    CHECK(comparisons < 2 * count * 14 + 2 * count);
  }
}
