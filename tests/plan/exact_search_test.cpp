// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The exact search, compared with all placement orders, and in cases in which every fast strategy needs more than the minimum.
#include <baton/plan/detail/exact_search.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/shared/lower_bound.hpp>
#include <baton/plan/shared/placement_strategies.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

namespace {

using namespace baton;

/// Returns the bytes of the best strategy that does not search.
constexpr auto bytes_without_search(baton::span<const lifetime> needs) -> std::uint64_t {
  auto min_bytes = place_in_objects(needs).bytes;
  for (const auto& order : detail::placing_orders) {
    min_bytes = std::min(min_bytes, place_in_order(needs, order.before).bytes);
  }
  return min_bytes;
}

constexpr auto is_placing(baton::span<const lifetime> needs, const memory_layout& layout) -> bool {
  for (std::size_t a = 0; a < needs.size(); ++a) {
    if (layout.offsets[a] + needs[a].bytes > layout.bytes) return false;
    for (std::size_t b = 0; b < a; ++b) {
      if (detail::live_together(needs[a], needs[b]) && layout.offsets[a] < layout.offsets[b] + needs[b].bytes &&
          layout.offsets[b] < layout.offsets[a] + needs[a].bytes)
        return false;
    }
  }
  return true;
}

/// The minimum memory over all placement orders, with each item at the lowest free offset. One of these orders is optimal.
class all_orders {
 public:
  explicit all_orders(baton::span<const lifetime> needs) : needs_(needs), offsets_(needs.size(), 0), is_placed_(needs.size(), 0) {}

  auto min_bytes() -> std::uint64_t {
    place(0, 0);
    return min_bytes_;
  }

 private:
  void place(std::size_t count, std::uint64_t bytes) {
    if (bytes >= min_bytes_) return;
    if (count == needs_.size()) min_bytes_ = bytes;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
      if (is_placed_[i] != 0) continue;
      offsets_[i] = lowest(i);
      is_placed_[i] = 1;
      place(count + 1, std::max(bytes, offsets_[i] + needs_[i].bytes));
      is_placed_[i] = 0;
    }
  }
  auto lowest(std::size_t i) const -> std::uint64_t {
    std::uint64_t at = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t j = 0; j < needs_.size(); ++j) {
        if (is_placed_[j] == 0 || !detail::live_together(needs_[i], needs_[j])) continue;
        if (offsets_[j] >= at + needs_[i].bytes || offsets_[j] + needs_[j].bytes <= at) continue;
        at = offsets_[j] + needs_[j].bytes;
        moved = true;
      }
    }
    return at;
  }

  baton::span<const lifetime> needs_;
  baton::vector<std::uint64_t> offsets_;
  baton::vector<char> is_placed_;
  std::uint64_t min_bytes_ = UINT64_MAX;
};

// Two branches that join; the sizes are those of a published model.
constexpr lifetime branches[] = {{0, 3, 24576}, {1, 2, 16384}, {2, 3, 8192}, {3, 6, 20480}, {4, 5, 12288}, {5, 7, 16384}, {6, 7, 4096}};
// Every fast strategy needs a fifth more than the minimum.
constexpr lifetime wide[] = {{0, 2, 19424}, {1, 2, 94928},  {2, 3, 23200},  {3, 4, 68528},  {4, 8, 30720},   {5, 8, 57744},
                             {6, 7, 89488}, {7, 10, 36896}, {8, 12, 75568}, {9, 10, 61632}, {10, 12, 52224}, {11, 12, 90880}};
// No placement reaches the bound, and every fast strategy needs more than the minimum.
constexpr lifetime above_bound[] = {{0, 2, 96}, {1, 4, 128}, {2, 5, 96},  {3, 6, 64}, {4, 7, 48},
                                    {5, 7, 96}, {6, 9, 64},  {7, 9, 128}, {8, 9, 112}};
// No placement reaches the bound, and a fast strategy finds the minimum.
constexpr lifetime fast_above_bound[] = {{0, 1, 64}, {1, 4, 64}, {2, 3, 32}, {3, 5, 48}, {4, 6, 48},
                                         {5, 6, 16}, {6, 7, 64}, {7, 9, 96}, {8, 9, 64}};

constexpr auto finds(baton::span<const lifetime> needs, std::uint64_t fast_bytes, std::uint64_t min_bytes) -> bool {
  const auto best = place_best(needs, lower_bound(needs));
  return bytes_without_search(needs) == fast_bytes && best.bytes == min_bytes && best.is_optimal && is_placing(needs, best) &&
         (best.strategy == "exact search") == (min_bytes < fast_bytes);
}
constexpr auto the_search_improves_on_every_fast_strategy() -> bool {
  return finds(branches, 57344, 53248) && lower_bound(branches) == 53248 && finds(wide, 277856, 226320) && lower_bound(wide) == 226320;
}
static_assert(the_search_improves_on_every_fast_strategy());

constexpr auto the_minimum_above_the_bound_is_proven() -> bool {
  return lower_bound(above_bound) == 336 && finds(above_bound, 432, 352) && lower_bound(fast_above_bound) == 160 &&
         finds(fast_above_bound, 176, 176);
}
static_assert(the_minimum_above_the_bound_is_proven());

constexpr auto a_search_without_budget_stops() -> bool {
  exact_search search(branches);
  std::int64_t budget = 20;
  if (search.run(53248, budget) != search_result::given_up || budget != 0) return false;
  budget = 10'000;
  if (search.run(53247, budget) != search_result::impossible) return false;
  return search.run(53248, budget) == search_result::found && budget > 0 && search.unit() == 4096;
}
static_assert(a_search_without_budget_stops());

/// Lifetimes as in a network with branches, from a generator with the same results on every platform.
constexpr auto network(std::uint32_t nodes, std::uint64_t seed) -> baton::vector<lifetime> {
  auto state = seed * 2654435761u + 1;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  baton::vector<lifetime> needs;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    needs.push_back({i, i + 1, (1 + random(64)) * 2304});
    for (auto users = i == 0 ? 0 : random(3); users > 0; --users) {
      const auto back = random(8);
      if (back < i) needs[i - back].last = i + 1;
    }
  }
  return needs;
}

constexpr auto hash_of(const memory_layout& layout) -> std::uint64_t {
  auto hash = layout.bytes;
  for (const auto offset : layout.offsets) hash = (hash ^ offset) * 0x100000001b3u;
  return hash;
}
/// Returns a hash of the placement of fifty entries. The search succeeds for seed 2, and exhausts its budget for seed 61.
constexpr auto plan_hash(std::uint64_t seed) -> std::uint64_t {
  const auto needs = network(50, seed);
  return hash_of(place_best(needs, lower_bound(needs)));
}
constexpr std::uint64_t constant_hashes[] = {plan_hash(2), plan_hash(61)};

/// Values of 1, 17, 48 and 65 bytes at an alignment of 64, and a value without elements.
constexpr auto sizes_are_rounded_up() -> bool {
  program_builder b;
  auto x = b.user_input("x", tensor(dtype::int8, 1));
  const auto y = b.call("op", {x}, tensor(dtype::int8, 17));
  const auto z = b.call("op", {y}, tensor(dtype::int8, 0));
  const auto w = b.call("op", {y, z}, tensor(dtype::int8, 48));
  b.output(b.call("op", {w, z}, tensor(dtype::int8, 65)));
  const auto plan = plan_memory(b.finish(), {.alignment = 64});
  return plan && !verify_plan(plan.value) && plan.value.arena_bytes == plan.value.lower_bound && plan.value.is_optimal &&
         plan.value.arena_bytes == 192;
}
static_assert(sizes_are_rounded_up());

constexpr auto a_plan_without_reuse_is_not_called_optimal() -> bool {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 16));
  b.output(b.call("op", {b.call("op", {x}, tensor(dtype::int8, 16))}, tensor(dtype::int8, 16)));
  const auto program = b.finish();
  return plan_memory(program).value.is_optimal && !plan_memory(program, {}, {}, planned_by<memory_policies::no_reuse>{}).value.is_optimal;
}
static_assert(a_plan_without_reuse_is_not_called_optimal());

}  // namespace

TEST_CASE("the exact search finds the minimum if no fast strategy does") {
  CHECK(the_search_improves_on_every_fast_strategy());
  CHECK(the_minimum_above_the_bound_is_proven());
  CHECK(all_orders(above_bound).min_bytes() == 352);
  CHECK(all_orders(fast_above_bound).min_bytes() == 176);
}

TEST_CASE("a search with a small budget stops early") { CHECK(a_search_without_budget_stops()); }

TEST_CASE("sizes are rounded before the search, and a plan without reuse is not called optimal") {
  CHECK(sizes_are_rounded_up());
  CHECK(a_plan_without_reuse_is_not_called_optimal());
}

TEST_CASE("few entries: the result is the minimum of all orders, and is_optimal is true") {
  std::mt19937 random(11);
  int searched = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto count = static_cast<std::uint32_t>(random() % 9);
    baton::vector<lifetime> needs;
    for (std::uint32_t n = 0; n < count; ++n) {
      needs.push_back({n, n + static_cast<std::uint32_t>(random() % 4), (random() % 10) * 16});
    }
    const auto best = place_best(needs, lower_bound(needs));
    REQUIRE(best.bytes == (needs.empty() ? 0 : all_orders(needs).min_bytes()));
    CHECK(best.is_optimal);
    CHECK(is_placing(needs, best));
    searched += best.strategy == "exact search" ? 1 : 0;
  }
  CHECK(searched > 15);
}

TEST_CASE("a placement is found if one exists by construction: memory cut into pieces, full at each step") {
  std::mt19937 random(13);
  for (int i = 0; i < 500; ++i) {
    // Four lanes of memory with random sizes; each holds one item after the other.
    baton::vector<lifetime> needs;
    std::uint64_t bytes = 0;
    for (int lane = 0; lane < 4; ++lane) {
      const std::uint64_t size = (1 + random() % 9) * 16;
      bytes += size;
      for (std::uint32_t step = 0; step < 12;) {
        const auto last = std::min(11u, step + static_cast<std::uint32_t>(random() % 4));
        needs.push_back({step, last, size});
        step = last + 1;
      }
    }
    std::shuffle(needs.begin(), needs.end(), random);
    const auto best = place_best(needs, lower_bound(needs));
    CHECK(best.bytes == bytes);
    CHECK(is_placing(needs, best));
  }
}

TEST_CASE("a plan is the same at run time, also if the budget is exhausted") {
  CHECK(plan_hash(2) == constant_hashes[0]);
  CHECK(plan_hash(61) == constant_hashes[1]);
  const auto needs = network(50, 61);
  CHECK_FALSE(place_best(needs, lower_bound(needs)).is_optimal);
}

TEST_CASE("networks of some tens of entries: the search brings most to the bound, and none becomes larger") {
  int above = 0;
  int improved = 0;
  int at_bound = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto needs = network(20 + static_cast<std::uint32_t>(seed % 30), seed);
    const auto bound = lower_bound(needs);
    const auto quick = bytes_without_search(needs);
    const auto best = place_best(needs, bound);
    CHECK(is_placing(needs, best));
    CHECK(best.bytes <= quick);
    above += quick > bound ? 1 : 0;
    improved += best.bytes < quick ? 1 : 0;
    at_bound += quick > bound && best.bytes == bound ? 1 : 0;
  }
  MESSAGE(above, " of 300 above the bound without a search; better with it ", improved, ", at the bound ", at_bound);
  CHECK(above > 100);
  CHECK(at_bound * 10 > above * 9);
}
