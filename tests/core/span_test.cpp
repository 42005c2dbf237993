// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/span.hpp>

#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

struct base {};
struct derived : base {};

// The implicit conversions to a span are those of std::span.
template <class From, class To>
constexpr bool both_convert = std::convertible_to<From, baton::span<To>> && std::convertible_to<From, std::span<To>>;
template <class From, class To>
constexpr bool neither_converts = !std::convertible_to<From, baton::span<To>> && !std::convertible_to<From, std::span<To>>;

static_assert(both_convert<int (&)[3], int> && both_convert<int (&)[3], const int> && neither_converts<const int (&)[3], int>);
static_assert(both_convert<std::array<int, 3>&, int> && both_convert<const std::array<int, 3>&, const int>);
static_assert(neither_converts<const std::array<int, 3>&, int> && neither_converts<std::array<int, 3>&, long>);
static_assert(both_convert<baton::vector<int>&, int> && both_convert<const baton::vector<int>&, const int>);
static_assert(neither_converts<baton::vector<derived>&, base> && neither_converts<baton::vector<derived>&, const base>);
static_assert(neither_converts<baton::vector<int*>&, const int*> && both_convert<baton::vector<int*>&, int* const>);
static_assert(both_convert<std::string_view, const char> && neither_converts<std::string_view, char> && neither_converts<int, int>);
// A temporary container converts only to a span of const elements.
static_assert(neither_converts<baton::vector<int>, int> && both_convert<baton::vector<int>, const int>);
static_assert(both_convert<std::span<int>, int> && both_convert<baton::span<int>, int>);
static_assert(both_convert<std::span<int, 3>, const int> && both_convert<baton::span<int>, const int> &&
              neither_converts<baton::span<const int>, int>);

static_assert(std::ranges::contiguous_range<baton::span<int>> && std::ranges::view<baton::span<int>> &&
              std::ranges::borrowed_range<baton::span<int>>);
static_assert(std::is_trivially_copyable_v<baton::span<int>> && std::is_nothrow_default_constructible_v<baton::span<int>>);

constexpr int five[5] = {1, 2, 3, 4, 5};
static_assert(std::is_same_v<decltype(baton::span{five}), baton::span<const int>>);
static_assert(std::is_same_v<decltype(baton::span{std::string_view{}}), baton::span<const char>>);
static_assert(std::is_same_v<decltype(baton::span{&five[0], 2}), baton::span<const int>>);
static_assert(std::is_same_v<decltype(baton::span{std::declval<const baton::vector<int>&>()}), baton::span<const int>>);

/// Compares every accessor with that of a std::span over the same items.
constexpr auto agrees() -> bool {
  const std::array<int, 5> items{3, 1, 4, 1, 5};
  const baton::span<const int> ours(items);
  const std::span<const int> theirs(items);
  const auto same = [](baton::span<const int> a, std::span<const int> b) { return a.data() == b.data() && a.size() == b.size(); };
  bool agrees = same(ours, theirs) && same(theirs, ours) && same(ours.first(2), theirs.first(2)) && same(ours.last(2), theirs.last(2)) &&
                same(ours.subspan(1), theirs.subspan(1)) && same(ours.subspan(5), theirs.subspan(5)) &&
                same(ours.subspan(1, 3), theirs.subspan(1, 3)) && ours.front() == theirs.front() && ours.back() == theirs.back() &&
                ours.size_bytes() == theirs.size_bytes() && !ours.empty() && baton::span<int>{}.empty();
  for (std::size_t i = 0; i < ours.size(); ++i) agrees = agrees && &ours[i] == &theirs[i];
  return agrees && std::ranges::equal(ours, theirs) && ours.begin() + 5 == ours.end();
}
static_assert(agrees());

constexpr auto sum_after_writing() -> int {
  int items[3] = {1, 2, 3};
  baton::span<int> all(items);
  for (auto& item : all.subspan(1)) item *= 10;
  all.front() = 7;
  return items[0] + items[1] + items[2];
}
static_assert(sum_after_writing() == 57);

}  // namespace

TEST_CASE("span agrees with std::span over the same items") {
  CHECK(agrees());
  CHECK(sum_after_writing() == 57);
}
