// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plans over two regions of memory.
#include <baton/core/builder.hpp>
#include <baton/core/span.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/detail/region_placement.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/shared/lower_bound.hpp>

#include "properties/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

template <std::size_t N>
constexpr auto layout_of(const lifetime (&needs)[N], const std::uint32_t (&uses)[N], const memory_regions& regions) -> split_layout {
  return detail::place_in_regions(needs, uses, regions);
}

/// Whether all lie in one region each, and nothing lies on what lives with it.
constexpr auto is_right(baton::span<const lifetime> needs, const memory_regions& regions, const split_layout& made) -> bool {
  for (std::size_t a = 0; a < needs.size(); ++a) {
    const bool is_slow = made.offsets[a] >= regions.fast;
    const auto end = made.offsets[a] + needs[a].bytes;
    if (end > (is_slow ? regions.fast + made.used.slow : made.used.fast)) return false;
    for (std::size_t b = 0; b < a; ++b) {
      const bool overlap = made.offsets[a] < made.offsets[b] + needs[b].bytes && made.offsets[b] < end;
      if (overlap && detail::live_together(needs[a], needs[b])) return false;
    }
  }
  return made.used.fast <= regions.fast && made.used.slow <= regions.slow;
}

constexpr lifetime three[] = {{0, 3, 32}, {0, 3, 16}, {1, 2, 64}};
constexpr std::uint32_t often_the_second[] = {2, 9, 2};

constexpr auto by_use() -> bool {
  constexpr lifetime needs[] = {{0, 1, 32}, {0, 1, 32}};
  const memory_regions regions{32, 32};
  const auto made = layout_of(needs, {2, 9}, regions);
  const auto other = layout_of(needs, {9, 2}, regions);
  return made.fits && is_right(needs, regions, made) && made.offsets[1] == 0 && other.offsets[0] == 0;
}
static_assert(by_use());
constexpr auto by_use_for_its_time() -> bool {
  constexpr lifetime needs[] = {{0, 3, 32}, {1, 1, 32}};
  const memory_regions regions{32, 32};
  const auto made = layout_of(needs, {4, 3}, regions);
  return made.fits && is_right(needs, regions, made) && made.offsets[1] == 0 && made.strategy == "most used first";
}
static_assert(by_use_for_its_time());
constexpr auto all_in_the_fast() -> bool {
  const memory_regions regions{112, 0};
  const auto made = layout_of(three, often_the_second, regions);
  return made.fits && is_right(three, regions, made) && made.used.slow == 0;
}
static_assert(all_in_the_fast());
constexpr auto the_large_has_no_choice() -> bool {
  const memory_regions regions{64, 48};
  const auto made = layout_of(three, often_the_second, regions);
  return made.fits && is_right(three, regions, made) && made.offsets[2] < 64 && made.used.slow == 48 && made.strategy == "most used first";
}
static_assert(the_large_has_no_choice());
constexpr auto another_order_fits() -> bool {
  constexpr lifetime needs[] = {{0, 1, 16}, {0, 1, 48}, {0, 1, 48}};
  const memory_regions regions{48, 64};  // by use, the first would lie in the fast region, and the others nowhere
  const auto made = layout_of(needs, {9, 2, 2}, regions);
  return made.fits && is_right(needs, regions, made) && made.strategy == "largest first" && made.offsets[0] >= 48;
}
static_assert(another_order_fits());

// x, doubled four times.
constexpr auto chain() -> exported_program {
  constexpr auto type = tensor(dtype::int8, 40);
  program_builder b;
  auto x = b.user_input("x", type);
  for (int i = 0; i < 4; ++i) x = b.call("tfl.add", {x, x}, type);
  b.output(x);
  return b.finish();
}
constexpr auto split_plan(std::uint64_t fast, std::uint64_t slow, const chosen_policy& policy = planned_by<memory_policies::no_overlap>{},
                          std::uint32_t read_ahead = 0) -> result<memory_plan> {
  const auto program = chain();
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.regions = {fast, slow};
  request.overread_bytes = read_ahead;
  return plan_memory(program, calls.value, {}, request, policy);
}
constexpr auto chain_in_two() -> bool {
  const auto plan = split_plan(63, 100);  // 48 of the 63 bytes, by the alignment
  return plan && !verify_plan(plan.value) && plan.value.regions.fast == 48 && plan.value.used.fast == 48 && plan.value.used.slow == 48 &&
         plan.value.arena_bytes == 96;
}
static_assert(chain_in_two());
constexpr auto chain_apart() -> bool {
  const auto plan = split_plan(100, 150, planned_by<memory_policies::no_reuse>{});
  return plan && !verify_plan(plan.value) && plan.value.used.fast == 96 && plan.value.used.slow == 144 && plan.value.order == "no_reuse";
}
static_assert(chain_apart());
constexpr auto chain_without_room() -> bool {
  const auto plan = split_plan(48, 40);
  return !plan && plan.error.is<"regions_too_small">() &&
         view(plan.error.reason) == "the slow region of 40 bytes is too small; 48 would be enough" && split_plan(48, 48);
}
static_assert(chain_without_room());
constexpr auto with_read_ahead() -> bool {
  const auto plan = split_plan(48 + 32, 48 + 32, planned_by<memory_policies::no_overlap>{}, 32);
  const auto refused = split_plan(48 + 32, 48 + 16, planned_by<memory_policies::no_overlap>{}, 32);
  return plan && plan.value.used.fast == 48 && plan.value.used.slow == 48 && plan.value.arena_bytes == 96 + 2 * 32 && !refused &&
         view(refused.error.reason) == "the slow region of 64 bytes is too small; 80 would be enough";
}
static_assert(with_read_ahead());
constexpr auto all_in_the_slow() -> bool {
  const auto plan = split_plan(16, 200, planned_by<memory_policies::no_overlap>{}, 32);  // read ahead takes the fast one
  return plan && plan.value.used.fast == 0 && plan.value.arena_bytes == 96 + 32;
}
static_assert(all_in_the_slow());
constexpr auto across_both() -> bool {
  auto plan = split_plan(48, 100);
  plan.value.offsets[0] = 16;  // from the fast region into the slow one
  return view(verify_plan(plan.value).reason) == "entry 0 lies outside its memory or is not aligned";
}
static_assert(across_both());

}  // namespace

TEST_CASE("what is used most for its time lies in the fast region") {
  CHECK(by_use());
  CHECK(by_use_for_its_time());
  CHECK(all_in_the_fast());
}
TEST_CASE("what does not fit the slow region lies in the fast one") {
  CHECK(the_large_has_no_choice());
  CHECK(another_order_fits());
}
TEST_CASE("a plan over two regions") {
  CHECK(chain_in_two());
  CHECK(chain_apart());
  CHECK(chain_without_room());
  CHECK(with_read_ahead());
  CHECK(all_in_the_slow());
  CHECK(across_both());
}

namespace {

struct instance {
  vector<lifetime> needs;
  vector<std::uint32_t> uses;
  std::uint64_t whole = 0;  // bytes of one arena
};
auto random_instance(properties::random_numbers& random, std::size_t most) -> instance {
  instance made;
  const auto count = 2 + random.below(most - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(random.below(most));
    made.needs.push_back({first, first + static_cast<std::uint32_t>(random.below(4)), 16 * (1 + random.below(16))});
    made.uses.push_back(1 + static_cast<std::uint32_t>(random.below(5)));
  }
  made.whole = place_best(made.needs, lower_bound(made.needs)).bytes;
  return made;
}
/// As large as one arena, or a little larger.
auto random_regions(properties::random_numbers& random, const instance& of) -> memory_regions {
  const auto fast = 16 * random.below(of.whole / 16 + 1);
  return {fast, of.whole - fast + 16 * random.below(8)};
}

/// The most bytes used, times their uses, that a fast region can have, of all ways to divide entries; -1: none fits.
auto max_traffic(const instance& of, const memory_regions& regions) -> std::int64_t {
  std::int64_t most = -1;
  for (std::uint32_t choice = 0; choice < 1U << of.needs.size(); ++choice) {
    vector<lifetime> sides[2];
    std::uint64_t traffic = 0;
    for (std::size_t i = 0; i < of.needs.size(); ++i) {
      const bool is_fast = (choice >> i & 1) != 0;
      sides[is_fast ? 0 : 1].push_back(of.needs[i]);
      if (is_fast) traffic += of.uses[i] * of.needs[i].bytes;
    }
    if (lower_bound(sides[0]) > regions.fast || lower_bound(sides[1]) > regions.slow) continue;
    if (place_best(sides[0], regions.fast).bytes > regions.fast || place_best(sides[1], regions.slow).bytes > regions.slow) continue;
    most = std::max(most, static_cast<std::int64_t>(traffic));
  }
  return most;
}

}  // namespace

TEST_CASE("random lifetimes: what fits one arena fits two, one of them as large, and no plan is wrong") {
  properties::random_numbers random(7);
  for (int i = 0; i < 2'000; ++i) {
    const auto one = random_instance(random, 15);
    const memory_regions all_fast{one.whole, 0};
    const auto in_the_fast = detail::place_in_regions(one.needs, one.uses, all_fast);
    REQUIRE((in_the_fast.fits && is_right(one.needs, all_fast, in_the_fast)));
    const memory_regions all_slow{16 * random.below(8), one.whole};
    const auto in_the_slow = detail::place_in_regions(one.needs, one.uses, all_slow);
    REQUIRE((in_the_slow.fits && is_right(one.needs, all_slow, in_the_slow)));
    const auto split = random_regions(random, one);
    const auto made = detail::place_in_regions(one.needs, one.uses, split);
    if (made.fits) {
      REQUIRE(is_right(one.needs, split, made));
    } else {
      REQUIRE(made.used.slow > split.slow);
      const memory_regions enlarged{split.fast, made.used.slow};  // what the message asks for is enough
      const auto again = detail::place_in_regions(one.needs, one.uses, enlarged);
      REQUIRE((again.fits && is_right(one.needs, enlarged, again)));
    }
  }
}

TEST_CASE("small instances against all ways to divide them") {
  properties::random_numbers random(11);
  int fit = 0;
  int missed = 0;
  double traffic = 0;
  for (int i = 0; i < 600; ++i) {
    const auto one = random_instance(random, 7);
    const auto regions = random_regions(random, one);
    const auto made = detail::place_in_regions(one.needs, one.uses, regions);
    const auto most = max_traffic(one, regions);
    REQUIRE((most >= 0 || !made.fits));
    if (most < 0) continue;
    if (!made.fits) {
      ++missed;
      continue;
    }
    ++fit;
    std::uint64_t fast = 0;
    for (std::size_t entry = 0; entry < one.needs.size(); ++entry) {
      if (made.offsets[entry] < regions.fast) fast += one.uses[entry] * one.needs[entry].bytes;
    }
    traffic += most == 0 ? 1 : static_cast<double>(fast) / static_cast<double>(most);
  }
  MESSAGE("of ", fit + missed, " that some way fits, ", missed, " are not found; use of the fast region, of what can be: ", traffic / fit);
  CHECK(missed * 100 <= fit);
  CHECK(traffic >= 0.96 * fit);
}
