// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory plan: values never overlap, and the arena is never below the bound. It is at the bound if a placement order reaches it.
#include <baton/plan/arena.hpp>
#include <baton/core/builder.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace {

using namespace baton;

constexpr auto chain(std::initializer_list<int> sizes) -> exported_program {
  program_builder build;
  auto latest = none<value_id>;
  for (const auto size : sizes) {
    const auto type = tensor(dtype::int8, size);
    latest = latest == none<value_id> ? build.user_input("x", type) : build.call("op", {latest}, type);
  }
  build.output(latest);
  return build.finish();
}

constexpr auto a_chain_needs_its_largest_neighbors() -> bool {
  const auto plan = plan_memory(chain({64, 128, 256, 32, 512, 16}));
  return plan && plan.value.arena_bytes == 544 && plan.value.lower_bound == 544 && !verify_plan(plan.value);
}
static_assert(a_chain_needs_its_largest_neighbors());

constexpr auto the_alignment_is_honored() -> bool {
  const auto plan = plan_memory(chain({3, 5, 7}), {.alignment = 64});
  return plan && plan.value.arena_bytes == 128 &&
         std::all_of(plan.value.offsets.begin(), plan.value.offsets.end(), [](std::uint64_t offset) { return offset % 64 == 0; });
}
static_assert(the_alignment_is_honored());

constexpr auto an_uneven_alignment_is_refused() -> bool {
  const auto is_refused = [](std::uint32_t alignment) {
    return plan_memory(chain({3, 5, 7}), {.alignment = alignment}).error.is<"uneven_alignment">();
  };
  return is_refused(0) && is_refused(3) && is_refused(12) && !is_refused(1) && !is_refused(std::uint32_t{1} << 12);
}
static_assert(an_uneven_alignment_is_refused());

constexpr auto an_unknown_size_is_refused() -> bool {
  const auto plan = plan_memory(chain({4, -1, 4}));
  return !plan && plan.error.is<"dynamic_shape">() && view(plan.error.reason) == "value op";
}
static_assert(an_unknown_size_is_refused());

constexpr auto an_overlap_is_detected() -> bool {
  auto plan = plan_memory(chain({16, 16})).value;
  plan.offsets[1] = plan.offsets[0];
  return verify_plan(plan).is<"overlapping_memory">();
}
static_assert(an_overlap_is_detected());

constexpr auto a_value_outside_the_arena_is_detected() -> bool {
  auto plan = plan_memory(chain({16, 16})).value;
  plan.arena_bytes -= 1;
  return verify_plan(plan).is<"overlapping_memory">();
}
static_assert(a_value_outside_the_arena_is_detected());

auto random_program(std::mt19937& random) -> exported_program {
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  program_builder build;
  baton::vector<value_id> values{build.user_input("x", tensor(dtype::int8, 1 + below(300)))};
  const auto nodes = 1 + below(40);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const auto a = values[below(static_cast<std::uint32_t>(values.size()))];
    const auto b = values[values.size() - 1 - below(std::min<std::uint32_t>(4, static_cast<std::uint32_t>(values.size())))];
    values.push_back(build.call("op", {a, b}, tensor(dtype::int8, 1 + below(300))));
  }
  build.output(values.back());
  build.output(values[below(static_cast<std::uint32_t>(values.size()))]);
  return build.finish();
}

}  // namespace

TEST_CASE("plans of hand-written programs are as expected") {
  CHECK(a_chain_needs_its_largest_neighbors());
  CHECK(the_alignment_is_honored());
  CHECK(an_uneven_alignment_is_refused());
  CHECK(an_unknown_size_is_refused());
  CHECK(an_overlap_is_detected());
  CHECK(a_value_outside_the_arena_is_detected());
}

TEST_CASE("plans of two thousand random programs have no overlap, and are never below the bound") {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto plan = plan_memory(random_program(random));
    REQUIRE(plan);
    CHECK_FALSE(verify_plan(plan.value));
    CHECK(plan.value.arena_bytes >= plan.value.lower_bound);
    std::uint64_t all = 0;
    for (const auto& need : plan.value.needs.lifetimes) all += need.bytes;
    CHECK(plan.value.arena_bytes <= all);
  }
}
