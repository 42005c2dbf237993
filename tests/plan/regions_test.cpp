// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plans over two memory regions.
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

/// True if each item is in one region, and items that are live at the same time do not overlap.
constexpr auto is_valid(baton::span<const lifetime> needs, const memory_regions& regions, const split_layout& layout) -> bool {
  for (std::size_t a = 0; a < needs.size(); ++a) {
    const bool is_slow = layout.offsets[a] >= regions.fast;
    const auto end = layout.offsets[a] + needs[a].bytes;
    if (end > (is_slow ? regions.fast + layout.used.slow : layout.used.fast)) return false;
    for (std::size_t b = 0; b < a; ++b) {
      const bool overlap = layout.offsets[a] < layout.offsets[b] + needs[b].bytes && layout.offsets[b] < end;
      if (overlap && detail::live_together(needs[a], needs[b])) return false;
    }
  }
  return layout.used.fast <= regions.fast && layout.used.slow <= regions.slow;
}

constexpr lifetime three[] = {{0, 3, 32}, {0, 3, 16}, {1, 2, 64}};
constexpr std::uint32_t uses_of_three[] = {2, 9, 2};

constexpr auto often_used_items_are_fast() -> bool {
  constexpr lifetime needs[] = {{0, 1, 32}, {0, 1, 32}};
  const memory_regions regions{32, 32};
  const auto layout = layout_of(needs, {2, 9}, regions);
  const auto other = layout_of(needs, {9, 2}, regions);
  return layout.fits && is_valid(needs, regions, layout) && layout.offsets[1] == 0 && other.offsets[0] == 0;
}
static_assert(often_used_items_are_fast());
constexpr auto uses_per_step_decide() -> bool {
  constexpr lifetime needs[] = {{0, 3, 32}, {1, 1, 32}};
  const memory_regions regions{32, 32};
  const auto layout = layout_of(needs, {4, 3}, regions);
  return layout.fits && is_valid(needs, regions, layout) && layout.offsets[1] == 0 && layout.strategy == "most used first";
}
static_assert(uses_per_step_decide());
constexpr auto everything_fits_the_fast_region() -> bool {
  const memory_regions regions{112, 0};
  const auto layout = layout_of(three, uses_of_three, regions);
  return layout.fits && is_valid(three, regions, layout) && layout.used.slow == 0;
}
static_assert(everything_fits_the_fast_region());
constexpr auto a_large_item_must_be_fast() -> bool {
  const memory_regions regions{64, 48};
  const auto layout = layout_of(three, uses_of_three, regions);
  return layout.fits && is_valid(three, regions, layout) && layout.offsets[2] < 64 && layout.used.slow == 48 &&
         layout.strategy == "most used first";
}
static_assert(a_large_item_must_be_fast());
constexpr auto another_order_fits() -> bool {
  constexpr lifetime needs[] = {{0, 1, 16}, {0, 1, 48}, {0, 1, 48}};
  const memory_regions regions{48, 64};  // by use, the first item would be fast, and the others would not fit
  const auto layout = layout_of(needs, {9, 2, 2}, regions);
  return layout.fits && is_valid(needs, regions, layout) && layout.strategy == "largest first" && layout.offsets[0] >= 48;
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
                          std::uint32_t overread = 0) -> result<memory_plan> {
  const auto program = chain();
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.regions = {fast, slow};
  request.overread_bytes = overread;
  return plan_memory(program, calls.value, {}, request, policy);
}
constexpr auto a_chain_over_two_regions() -> bool {
  const auto plan = split_plan(63, 100);  // the alignment leaves 48 of the 63 bytes
  return plan && !verify_plan(plan.value) && plan.value.regions.fast == 48 && plan.value.used.fast == 48 && plan.value.used.slow == 48 &&
         plan.value.arena_bytes == 96;
}
static_assert(a_chain_over_two_regions());
constexpr auto a_chain_without_reuse() -> bool {
  const auto plan = split_plan(100, 150, planned_by<memory_policies::no_reuse>{});
  return plan && !verify_plan(plan.value) && plan.value.used.fast == 96 && plan.value.used.slow == 144 && plan.value.strategy == "no_reuse";
}
static_assert(a_chain_without_reuse());
constexpr auto a_chain_that_does_not_fit() -> bool {
  const auto plan = split_plan(48, 40);
  return !plan && plan.error.is<"regions_too_small">() &&
         view(plan.error.reason) == "the slow region of 40 bytes is too small; 48 would be enough" && split_plan(48, 48);
}
static_assert(a_chain_that_does_not_fit());
constexpr auto over_reads_are_reserved() -> bool {
  const auto plan = split_plan(48 + 32, 48 + 32, planned_by<memory_policies::no_overlap>{}, 32);
  const auto refused = split_plan(48 + 32, 48 + 16, planned_by<memory_policies::no_overlap>{}, 32);
  return plan && plan.value.used.fast == 48 && plan.value.used.slow == 48 && plan.value.arena_bytes == 96 + 2 * 32 && !refused &&
         view(refused.error.reason) == "the slow region of 64 bytes is too small; 80 would be enough";
}
static_assert(over_reads_are_reserved());
constexpr auto everything_is_in_the_slow_region() -> bool {
  const auto plan = split_plan(16, 200, planned_by<memory_policies::no_overlap>{}, 32);  // the over-read fills the fast region
  return plan && plan.value.used.fast == 0 && plan.value.arena_bytes == 96 + 32;
}
static_assert(everything_is_in_the_slow_region());
constexpr auto a_value_across_both_regions_is_refused() -> bool {
  auto plan = split_plan(48, 100);
  plan.value.offsets[0] = 16;  // from the fast region into the slow one
  return view(verify_plan(plan.value).reason) == "entry 0 is outside its memory or is not aligned";
}
static_assert(a_value_across_both_regions_is_refused());

}  // namespace

TEST_CASE("items with the most uses per step are in the fast region") {
  CHECK(often_used_items_are_fast());
  CHECK(uses_per_step_decide());
  CHECK(everything_fits_the_fast_region());
}
TEST_CASE("items that do not fit the slow region are in the fast one") {
  CHECK(a_large_item_must_be_fast());
  CHECK(another_order_fits());
}
TEST_CASE("a plan over two regions") {
  CHECK(a_chain_over_two_regions());
  CHECK(a_chain_without_reuse());
  CHECK(a_chain_that_does_not_fit());
  CHECK(over_reads_are_reserved());
  CHECK(everything_is_in_the_slow_region());
  CHECK(a_value_across_both_regions_is_refused());
}

namespace {

struct instance {
  vector<lifetime> needs;
  vector<std::uint32_t> uses;
  std::uint64_t whole = 0;  // bytes of one arena
};
auto random_instance(properties::random_numbers& random, std::size_t limit) -> instance {
  instance generated;
  const auto count = 2 + random.below(limit - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(random.below(limit));
    generated.needs.push_back({first, first + static_cast<std::uint32_t>(random.below(4)), 16 * (1 + random.below(16))});
    generated.uses.push_back(1 + static_cast<std::uint32_t>(random.below(5)));
  }
  generated.whole = place_best(generated.needs, lower_bound(generated.needs)).bytes;
  return generated;
}
/// Regions that are together as large as one arena, or a little larger.
auto random_regions(properties::random_numbers& random, const instance& problem) -> memory_regions {
  const auto fast = 16 * random.below(problem.whole / 16 + 1);
  return {fast, problem.whole - fast + 16 * random.below(8)};
}

/// The maximum of bytes times uses in the fast region, over all divisions of the entries; -1 if none fits.
auto max_traffic(const instance& problem, const memory_regions& regions) -> std::int64_t {
  std::int64_t max = -1;
  for (std::uint32_t choice = 0; choice < 1U << problem.needs.size(); ++choice) {
    vector<lifetime> sides[2];
    std::uint64_t traffic = 0;
    for (std::size_t i = 0; i < problem.needs.size(); ++i) {
      const bool is_fast = (choice >> i & 1) != 0;
      sides[is_fast ? 0 : 1].push_back(problem.needs[i]);
      if (is_fast) traffic += problem.uses[i] * problem.needs[i].bytes;
    }
    if (lower_bound(sides[0]) > regions.fast || lower_bound(sides[1]) > regions.slow) continue;
    if (place_best(sides[0], regions.fast).bytes > regions.fast || place_best(sides[1], regions.slow).bytes > regions.slow) continue;
    max = std::max(max, static_cast<std::int64_t>(traffic));
  }
  return max;
}

}  // namespace

TEST_CASE("random lifetimes: items that fit one arena fit two regions, one of them as large, and no plan is invalid") {
  properties::random_numbers random(7);
  for (int i = 0; i < 2'000; ++i) {
    const auto one = random_instance(random, 15);
    const memory_regions all_fast{one.whole, 0};
    const auto fast_layout = detail::place_in_regions(one.needs, one.uses, all_fast);
    REQUIRE((fast_layout.fits && is_valid(one.needs, all_fast, fast_layout)));
    const memory_regions all_slow{16 * random.below(8), one.whole};
    const auto slow_layout = detail::place_in_regions(one.needs, one.uses, all_slow);
    REQUIRE((slow_layout.fits && is_valid(one.needs, all_slow, slow_layout)));
    const auto split = random_regions(random, one);
    const auto layout = detail::place_in_regions(one.needs, one.uses, split);
    if (layout.fits) {
      REQUIRE(is_valid(one.needs, split, layout));
    } else {
      REQUIRE(layout.used.slow > split.slow);
      const memory_regions enlarged{split.fast, layout.used.slow};  // the size in the message is sufficient
      const auto again = detail::place_in_regions(one.needs, one.uses, enlarged);
      REQUIRE((again.fits && is_valid(one.needs, enlarged, again)));
    }
  }
}

TEST_CASE("small instances, compared with all divisions of the entries") {
  properties::random_numbers random(11);
  int fit = 0;
  int missed = 0;
  double traffic = 0;
  for (int i = 0; i < 600; ++i) {
    const auto one = random_instance(random, 7);
    const auto regions = random_regions(random, one);
    const auto layout = detail::place_in_regions(one.needs, one.uses, regions);
    const auto best = max_traffic(one, regions);
    REQUIRE((best >= 0 || !layout.fits));
    if (best < 0) continue;
    if (!layout.fits) {
      ++missed;
      continue;
    }
    ++fit;
    std::uint64_t fast = 0;
    for (std::size_t entry = 0; entry < one.needs.size(); ++entry) {
      if (layout.offsets[entry] < regions.fast) fast += one.uses[entry] * one.needs[entry].bytes;
    }
    traffic += best == 0 ? 1 : static_cast<double>(fast) / static_cast<double>(best);
  }
  MESSAGE("of ", fit + missed, " that some way fits, ", missed, " are not found; use of the fast region, of what can be: ", traffic / fit);
  CHECK(missed * 100 <= fit);
  CHECK(traffic >= 0.96 * fit);
}
