// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Mutable buffers with known offsets: they are stored there, and all other values follow.
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/core/builder.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/shared/graph_calls.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

namespace {

using namespace baton;

/// Two states of 32 and 48 bytes, and a chain of values of 64, 16 and 32 bytes.
constexpr auto two_states() -> exported_program {
  program_builder b;
  const auto s = b.mutable_buffer("s", tensor(dtype::int8, 32));
  const auto t = b.mutable_buffer("t", tensor(dtype::int8, 48));
  const auto x = b.user_input("x", tensor(dtype::int8, 64));
  const auto y = b.call("y", "op", {x, s}, tensor(dtype::int8, 16));
  const auto z = b.call("z", "op", {y, t}, tensor(dtype::int8, 32));
  b.mutation(z, "s");
  b.output(y);
  return b.finish();
}

constexpr auto planned(const pinned_states& pinned, const chosen_policy& policy = planned_by<memory_policies::no_overlap>{})
    -> result<memory_plan> {
  const auto program = two_states();
  const auto calls = graphs_that_run(program);
  memory_request request;
  request.pinned = pinned;
  return plan_memory(program, calls.value, {}, request, policy);
}

constexpr auto pinned_states_keep_their_offsets(const chosen_policy& policy, std::uint64_t unpinned_bytes) -> bool {
  constexpr std::array states{pinned_state{value_id{1}, 16}, pinned_state{value_id{0}, 96}};
  const auto plan = planned({states, 128}, policy);
  if (!plan || verify_plan(plan.value)) return false;
  for (std::uint32_t v = 2; v < 5; ++v) {
    if (plan.value.offset_of(value_id{v}) < 128) return false;
  }
  return plan.value.offset_of(value_id{0}) == 96 && plan.value.offset_of(value_id{1}) == 16 &&
         plan.value.arena_bytes == 128 + unpinned_bytes && plan.value.lower_bound == 128 + 64 + 16;
}
static_assert(pinned_states_keep_their_offsets(planned_by<memory_policies::no_overlap>{}, 64 + 16));
static_assert(pinned_states_keep_their_offsets(planned_by<memory_policies::no_reuse>{}, 64 + 16 + 32));

// A state that is not pinned is placed with the other values. Without pinned states, the size is the same.
constexpr auto other_states_are_placed() -> bool {
  constexpr std::array states{pinned_state{value_id{1}, 0}};
  const auto with_one = planned({states, 48});
  const auto without = planned({});
  return with_one && with_one.value.offset_of(value_id{1}) == 0 && with_one.value.offset_of(value_id{0}) >= 48 &&
         !verify_plan(with_one.value) && with_one.value.arena_bytes == 48 + 32 + 64 + 16 &&
         without.value.arena_bytes == with_one.value.arena_bytes && without.value.lower_bound == with_one.value.lower_bound;
}
static_assert(other_states_are_placed());

}  // namespace

TEST_CASE("pinned states keep their offsets, and all other values follow them") {
  CHECK(pinned_states_keep_their_offsets(planned_by<memory_policies::no_overlap>{}, 64 + 16));
  CHECK(pinned_states_keep_their_offsets(planned_by<memory_policies::no_reuse>{}, 64 + 16 + 32));
  CHECK(other_states_are_placed());
}
