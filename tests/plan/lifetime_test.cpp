// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lifetimes and the lower bound, on programs small enough to count by hand.
#include <baton/plan/shared/lifetime.hpp>
#include <baton/core/builder.hpp>
#include <baton/plan/shared/lower_bound.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton;

// x(100) -> a(100) -> b(10) -> c(10); a also feeds c.
constexpr auto diamond() -> exported_program {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 100));
  const auto a = build.call("a", "op", {x}, tensor(dtype::int8, 100));
  const auto b = build.call("b", "op", {a}, tensor(dtype::int8, 10));
  const auto w = build.parameter("w", tensor(dtype::int8, 1000));
  build.output(build.call("c", "op", {a, b, w}, tensor(dtype::int8, 10)));
  return build.finish();
}

constexpr auto lifetime_of(const memory_needs& needs, std::uint32_t value) -> lifetime {
  return needs.lifetimes[needs.value_entries[value]];
}

constexpr auto values_live_from_definition_to_last_use() -> bool {
  const auto program = diamond();
  const auto needs = lifetimes(program, 16);
  const auto x = lifetime_of(needs, 0);
  const auto a = lifetime_of(needs, 1);
  const auto b = lifetime_of(needs, 2);
  const auto c = lifetime_of(needs, 4);
  return x.first == 0 && x.last == 0 && a.first == 0 && a.last == 2 && b.first == 1 && b.last == 2 && c.first == 2 && c.last == 3;
}
static_assert(values_live_from_definition_to_last_use());

constexpr auto constants_need_no_memory() -> bool { return lifetimes(diamond(), 16).value_entries[3] == npos; }
static_assert(constants_need_no_memory());

constexpr auto bytes_are_rounded_up_to_the_alignment() -> bool {
  return lifetime_of(lifetimes(diamond(), 16), 0).bytes == 112 && lifetime_of(lifetimes(diamond(), 64), 0).bytes == 128;
}
static_assert(bytes_are_rounded_up_to_the_alignment());

// x and a are live together in the first step: 112 + 112 bytes.
constexpr auto lower_bound_is_the_peak_of_live_bytes() -> bool { return lower_bound(lifetimes(diamond(), 16).lifetimes) == 224; }
static_assert(lower_bound_is_the_peak_of_live_bytes());

constexpr auto shared_storage_is_counted_once() -> bool {
  const auto program = diamond();
  storage_map storage(program.values.size());
  storage.place(value_id{1}, {container::value, storage_reason::forwarded, 0});  // a shares the memory of x
  const auto needs = lifetimes(program, 16, storage);
  return needs.value_entries[0] == needs.value_entries[1] && lifetime_of(needs, 0).first == 0 && lifetime_of(needs, 0).last == 2 &&
         lower_bound(needs.lifetimes) == 144;
}
static_assert(shared_storage_is_counted_once());

constexpr auto mutable_buffers_live_always() -> bool {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 16));
  const auto state = build.mutable_buffer("state", tensor(dtype::int8, 16));
  const auto next = build.call("next", "op", {x, state}, tensor(dtype::int8, 16));
  const auto y = build.call("y", "op", {next}, tensor(dtype::int8, 16));
  build.mutation(next, "state");
  build.output(y);
  const auto needs = lifetimes(build.finish(), 16);
  return lifetime_of(needs, 1).first == 0 && lifetime_of(needs, 1).last == 2;
}
static_assert(mutable_buffers_live_always());

}  // namespace

TEST_CASE("lifetimes are those counted by hand") {
  CHECK(values_live_from_definition_to_last_use());
  CHECK(constants_need_no_memory());
  CHECK(bytes_are_rounded_up_to_the_alignment());
  CHECK(shared_storage_is_counted_once());
  CHECK(mutable_buffers_live_always());
}

TEST_CASE("the lower bound is that counted by hand") { CHECK(lower_bound_is_the_peak_of_live_bytes()); }
