// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Ways of placing, against the same ways written down plainly, and on graphs too large for quadratic ones.
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

/// The greedy algorithm word for word: every object of memory is looked at in turn, and in it everything.
auto greedy_by_the_letter(const baton::vector<lifetime>& needs) -> memory_layout {
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
  memory_layout made{baton::vector<std::uint64_t>(needs.size(), 0), 0};
  baton::vector<std::size_t> object_of(needs.size(), 0);
  for (const auto entry : order) {
    const auto lives = [&](std::uint32_t other) { return detail::live_together(needs[entry], needs[other]); };
    auto found = std::find_if(objects.begin(), objects.end(),
                              [&](const object& o) { return std::none_of(o.entries.begin(), o.entries.end(), lives); });
    if (found == objects.end()) {
      found = std::find_if(objects.begin(), objects.end(), [&](const object& o) {
        std::uint64_t end = 0;
        for (const auto other : o.entries) {
          if (lives(other)) end = std::max(end, made.offsets[other] + needs[other].bytes);
        }
        if (end + needs[entry].bytes > o.bytes) return false;
        made.offsets[entry] = end;
        return true;
      });
    }
    if (found == objects.end()) found = objects.insert(found, object{needs[entry].bytes, {}});
    object_of[entry] = static_cast<std::size_t>(found - objects.begin());
    found->entries.push_back(entry);
  }
  baton::vector<std::uint64_t> bases;
  for (const auto& o : objects) {
    bases.push_back(made.bytes);
    made.bytes += o.bytes;
  }
  for (std::size_t i = 0; i < needs.size(); ++i) made.offsets[i] += bases[object_of[i]];
  return made;
}

auto first_fit_by_the_letter(const baton::vector<lifetime>& needs, const baton::vector<std::uint32_t>& order) -> memory_layout {
  memory_layout made{baton::vector<std::uint64_t>(needs.size(), 0), 0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::uint64_t at = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t j = 0; j < i; ++j) {
        const auto& other = needs[order[j]];
        const auto offset = made.offsets[order[j]];
        if (!detail::live_together(needs[order[i]], other) || offset >= at + needs[order[i]].bytes || offset + other.bytes <= at) continue;
        at = offset + other.bytes;
        moved = true;
      }
    }
    made.offsets[order[i]] = at;
    made.bytes = std::max(made.bytes, at + needs[order[i]].bytes);
  }
  return made;
}

auto overlaps(const baton::vector<lifetime>& needs, const memory_layout& made) -> bool {
  for (std::size_t a = 0; a < needs.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (detail::live_together(needs[a], needs[b]) && made.offsets[a] < made.offsets[b] + needs[b].bytes &&
          made.offsets[b] < made.offsets[a] + needs[a].bytes)
        return true;
    }
  }
  return false;
}

constexpr auto the_index_finds_what_lives_together() -> bool {
  constexpr lifetime needs[] = {{0, 3, 1}, {1, 1, 1}, {2, 5, 1}, {4, 4, 1}, {6, 6, 1}, {0, 6, 1}};
  lifetime_index index(needs);
  for (std::uint32_t i = 0; i < 6; ++i) index.insert(i);
  for (std::uint32_t i = 0; i < 6; ++i) {
    std::uint32_t found = 0;
    index.for_each_living_with(i, [&](std::uint32_t other) { found += 1u << (4 * other); });
    std::uint32_t wanted = 0;
    for (std::uint32_t j = 0; j < 6; ++j) wanted += detail::live_together(needs[i], needs[j]) ? 1u << (4 * j) : 0u;
    if (found != wanted) return false;
  }
  return true;
}
static_assert(the_index_finds_what_lives_together());

constexpr auto values_can_be_kept_apart() -> bool {
  program_builder b;
  auto x = b.user_input("x", tensor(dtype::int8, 16));
  for (int i = 0; i < 4; ++i) x = b.call("op", {x}, tensor(dtype::int8, 16));
  b.output(x);
  const auto plan = plan_memory(b.finish(), {}, {}, planned_by<memory_policies::no_reuse>{});
  return plan && plan.value.arena_bytes == 80 && plan.value.lower_bound == 32 && plan.value.order == "no_reuse" && !verify_plan(plan.value);
}
static_assert(values_can_be_kept_apart());

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

TEST_CASE("what lives together is found") { CHECK(the_index_finds_what_lives_together()); }

TEST_CASE("every value in memory of its own") { CHECK(values_can_be_kept_apart()); }

TEST_CASE("placing in objects, and at the lowest offset, is what the words say") {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    const auto needs =
        random_lifetimes(random, 1 + static_cast<std::uint32_t>(random() % 60), 1 + static_cast<std::uint32_t>(random() % 30));
    const auto greedy = place_in_objects(needs);
    const auto wanted = greedy_by_the_letter(needs);
    CHECK(greedy.offsets == wanted.offsets);
    CHECK(greedy.bytes == wanted.bytes);
    CHECK_FALSE(overlaps(needs, greedy));
    baton::vector<std::uint32_t> order(needs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    const auto fitted = detail::first_fit(needs).run(order);
    CHECK(fitted.offsets == first_fit_by_the_letter(needs, order).offsets);
    CHECK_FALSE(overlaps(needs, fitted));
  }
}

TEST_CASE("a hundred thousand values are planned in the time that a small multiple of ten thousand takes") {
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
  CHECK(large < 60 * small);  // ten times the values; a quadratic planner takes a hundred times as long
}
