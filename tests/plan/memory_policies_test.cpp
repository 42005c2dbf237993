// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placement strategies, compared with naive implementations of the same strategies, and on graphs that are too large for quadratic ones.
#include <baton/plan/memory_policy.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/shared/placement_strategies.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>

namespace {

using namespace baton;

auto random_lifetimes(std::mt19937& random, std::uint32_t count, std::uint32_t longest) -> baton::vector<lifetime> {
  baton::vector<lifetime> needs;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(random() % count);
    needs.push_back({first, first + static_cast<std::uint32_t>(random() % longest), (1 + random() % 8) * 16});
  }
  return needs;
}

/// The greedy algorithm, implemented naively: for each entry, it inspects each memory object and all entries in it.
auto naive_greedy(const baton::vector<lifetime>& needs) -> memory_layout {
  struct object {
    std::uint64_t bytes;
    baton::vector<std::uint32_t> entries;
  };
  baton::vector<std::uint32_t> order(needs.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return needs[a].bytes > needs[b].bytes || (needs[a].bytes == needs[b].bytes && a > b);
  });
  baton::vector<object> objects;
  memory_layout layout{baton::vector<std::uint64_t>(needs.size(), 0), 0};
  baton::vector<std::size_t> object_of(needs.size(), 0);
  for (const auto entry : order) {
    const auto lives = [&](std::uint32_t other) { return detail::live_together(needs[entry], needs[other]); };
    auto chosen = std::find_if(objects.begin(), objects.end(),
                               [&](const object& o) { return std::none_of(o.entries.begin(), o.entries.end(), lives); });
    if (chosen == objects.end()) {
      chosen = std::find_if(objects.begin(), objects.end(), [&](const object& o) {
        std::uint64_t end = 0;
        for (const auto other : o.entries) {
          if (lives(other)) end = std::max(end, layout.offsets[other] + needs[other].bytes);
        }
        if (end + needs[entry].bytes > o.bytes) return false;
        layout.offsets[entry] = end;
        return true;
      });
    }
    if (chosen == objects.end()) chosen = objects.insert(chosen, object{needs[entry].bytes, {}});
    object_of[entry] = static_cast<std::size_t>(chosen - objects.begin());
    chosen->entries.push_back(entry);
  }
  baton::vector<std::uint64_t> bases;
  for (const auto& o : objects) {
    bases.push_back(layout.bytes);
    layout.bytes += o.bytes;
  }
  for (std::size_t i = 0; i < needs.size(); ++i) layout.offsets[i] += bases[object_of[i]];
  return layout;
}

auto naive_first_fit(const baton::vector<lifetime>& needs, const baton::vector<std::uint32_t>& order) -> memory_layout {
  memory_layout layout{baton::vector<std::uint64_t>(needs.size(), 0), 0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint64_t at = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t j = 0; j < i; ++j) {
        const auto& other = needs[order[j]];
        const auto offset = layout.offsets[order[j]];
        if (!detail::live_together(needs[order[i]], other) || offset >= at + needs[order[i]].bytes || offset + other.bytes <= at) continue;
        at = offset + other.bytes;
        moved = true;
      }
    }
    layout.offsets[order[i]] = at;
    layout.bytes = std::max(layout.bytes, at + needs[order[i]].bytes);
  }
  return layout;
}

auto has_overlap(const baton::vector<lifetime>& needs, const memory_layout& layout) -> bool {
  for (std::size_t a = 0; a < needs.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (detail::live_together(needs[a], needs[b]) && layout.offsets[a] < layout.offsets[b] + needs[b].bytes &&
          layout.offsets[b] < layout.offsets[a] + needs[a].bytes)
        return true;
    }
  }
  return false;
}

constexpr auto the_index_finds_simultaneous_values() -> bool {
  constexpr lifetime needs[] = {{0, 3, 1}, {1, 1, 1}, {2, 5, 1}, {4, 4, 1}, {6, 6, 1}, {0, 6, 1}};
  lifetime_index index(needs);
  for (std::uint32_t i = 0; i < 6; ++i) index.insert(i);
  for (std::uint32_t i = 0; i < 6; ++i) {
    std::uint32_t neighbors = 0;
    index.for_each_simultaneous(i, [&](std::uint32_t other) { neighbors += 1u << (4 * other); });
    std::uint32_t expected = 0;
    for (std::uint32_t j = 0; j < 6; ++j) expected += detail::live_together(needs[i], needs[j]) ? 1u << (4 * j) : 0u;
    if (neighbors != expected) return false;
  }
  return true;
}
static_assert(the_index_finds_simultaneous_values());

constexpr auto values_can_have_disjoint_memory() -> bool {
  program_builder b;
  auto x = b.user_input("x", tensor(dtype::int8, 16));
  for (int i = 0; i < 4; ++i) x = b.call("op", {x}, tensor(dtype::int8, 16));
  b.output(x);
  const auto plan = plan_memory(b.finish(), {}, {}, planned_by<memory_policies::no_reuse>{});
  return plan && plan.value.arena_bytes == 80 && plan.value.lower_bound == 32 && plan.value.strategy == "no_reuse" &&
         !verify_plan(plan.value);
}
static_assert(values_can_have_disjoint_memory());

auto long_program(std::uint32_t nodes) -> exported_program {
  std::mt19937 random(7);
  program_builder build;
  baton::vector<value_id> recent{build.user_input("x", tensor(dtype::int8, 64))};
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const auto a = recent[random() % recent.size()];
    recent.push_back(build.call("n", "op", {recent.back(), a}, tensor(dtype::int8, 16 * (1 + static_cast<int>(random() % 64)))));
    if (recent.size() > 12) recent.erase(recent.begin() + static_cast<std::ptrdiff_t>(random() % 4));
  }
  build.output(recent.back());
  return build.finish();
}

}  // namespace

TEST_CASE("values that are live at the same time are found") { CHECK(the_index_finds_simultaneous_values()); }

TEST_CASE("every value has separate memory") { CHECK(values_can_have_disjoint_memory()); }

TEST_CASE("placement in objects and first fit equal naive implementations") {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const auto needs =
        random_lifetimes(random, 1 + static_cast<std::uint32_t>(random() % 60), 1 + static_cast<std::uint32_t>(random() % 30));
    const auto greedy = place_in_objects(needs);
    const auto expected = naive_greedy(needs);
    CHECK(greedy.offsets == expected.offsets);
    CHECK(greedy.bytes == expected.bytes);
    CHECK_FALSE(has_overlap(needs, greedy));
    baton::vector<std::uint32_t> order(needs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    const auto fitted = detail::first_fit(needs).run(order);
    CHECK(fitted.offsets == naive_first_fit(needs, order).offsets);
    CHECK_FALSE(has_overlap(needs, fitted));
  }
}

TEST_CASE("planning a hundred thousand values needs a small multiple of the time for ten thousand") {
  const auto time_of = [](std::uint32_t nodes) {
    const auto program = long_program(nodes);
    const auto begin = std::chrono::steady_clock::now();
    const auto plan = plan_memory(program);
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    CHECK_FALSE(verify_plan(plan.value));
    CHECK(plan.value.needs.lifetimes.size() > nodes);
    return seconds;
  };
  const auto small = time_of(10000);
  const auto large = time_of(100000);
  MESSAGE("10,000 values: ", small, " s; 100,000 values: ", large, " s");
  CHECK(large < 60 * small);  // ten times the values; a quadratic planner needs a hundred times as long
}
