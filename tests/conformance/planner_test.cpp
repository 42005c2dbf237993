// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The planner's golden vectors: rows T-MP of section 4.15 of the delegation specification, and the counterpart of rule R263 (Q20).
#include <baton/compat/executorch/place_in_pools.hpp>
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/shared/placement_strategies.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/graphs.hpp"
#include "conformance/wrapping.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace {

using namespace baton;
using offsets = baton::vector<std::uint64_t>;

constexpr auto is_layout(const memory_layout& layout, const offsets& at, std::uint64_t bytes) -> bool {
  return layout.offsets == at && layout.bytes == bytes;
}

constexpr auto first_vector() -> bool {
  constexpr lifetime needs[] = {{0, 2, 64}, {1, 3, 32}, {2, 4, 16}, {3, 5, 16}};
  return is_layout(place_without_reuse(needs), {0, 64, 96, 112}, 128) && is_layout(place_in_objects(needs), {0, 64, 96, 0}, 112);
}
static_assert(first_vector());

constexpr auto second_vector() -> bool {
  constexpr lifetime needs[] = {{0, 5, 64}, {6, 7, 48}, {6, 8, 16}};
  return place_without_reuse(needs).bytes == 128 && is_layout(place_in_objects(needs), {0, 0, 48}, 64);
}
static_assert(second_vector());

constexpr auto third_vector() -> bool {
  constexpr lifetime needs[] = {{0, 1, 16}, {1, 2, 16}, {2, 3, 16}, {3, 4, 16}};
  return place_without_reuse(needs).bytes == 64 && is_layout(place_in_objects(needs), {16, 0, 16, 0}, 32);
}
static_assert(third_vector());

// b = a + a, c = a * b, d = c + b, e = c * d: five tensors of four bytes in two memories. Memory 0 is that of constants, memory 2 stays
// empty.
constexpr auto fourth_vector() -> bool {
  constexpr lifetime needs[] = {{0, 2, 4}, {1, 3, 4}, {2, 4, 4}, {3, 4, 4}, {4, 5, 4}};
  constexpr std::uint32_t pools[] = {1, 3, 1, 3, 1};
  const auto separate = place_in_pools(needs, pools, place_without_reuse);
  if (separate.offsets != offsets{0, 0, 4, 4, 8} || separate.bytes != offsets{0, 12, 0, 8}) return false;
  const auto greedy = place_in_pools(needs, pools, place_in_objects);
  baton::vector<std::pair<std::uint32_t, std::uint64_t>> actual;
  for (std::size_t i = 0; i < std::size(needs); ++i) actual.emplace_back(pools[i], greedy.offsets[i]);
  std::sort(actual.begin(), actual.end());
  const baton::vector<std::pair<std::uint32_t, std::uint64_t>> wanted{{1, 0}, {1, 0}, {1, 4}, {3, 0}, {3, 4}};
  return actual == wanted && greedy.bytes == offsets{0, 8, 0, 8};
}
static_assert(fourth_vector());

// The sizes of Baton's plans of the same vectors. Baton also tries the greedy strategy, and keeps the best plan.
constexpr auto the_best_is_no_worse() -> bool {
  constexpr lifetime first[] = {{0, 2, 64}, {1, 3, 32}, {2, 4, 16}, {3, 5, 16}};
  constexpr lifetime second[] = {{0, 5, 64}, {6, 7, 48}, {6, 8, 16}};
  constexpr lifetime third[] = {{0, 1, 16}, {1, 2, 16}, {2, 3, 16}, {3, 4, 16}};
  return place_best(first, 112).bytes == 112 && place_best(second, 64).bytes == 64 && place_best(third, 32).bytes == 32;
}
static_assert(the_best_is_no_worse());

/// A backend that reads 64 bytes past its arguments (R263: the original's planner recognizes such a backend by its name).
struct reads_ahead {
  static constexpr auto id = name<"reads_ahead">;
  static constexpr std::uint32_t overread_bytes = 64;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  static void execute(const delegate_call& call) {
    for (const auto input : call.inputs) {
      char sum = 0;
      for (std::size_t i = 0; i < input.size() + overread_bytes; ++i) sum = static_cast<char>(sum ^ input.data()[i]);
      call.outputs[0][0] = sum;
    }
  }
};
struct reads_no_more : reads_ahead {
  static constexpr auto id = name<"reads_no_more">;
  static constexpr std::uint32_t overread_bytes = 0;
};
template <class Backend>
constexpr static_program<conformance::wrapping<
    [] { return standalone_program(to_backend(backends<Backend>, to_text(Backend::id), conformance::g_sin())); }, Backend>>
    sine_of{};

}  // namespace

TEST_CASE("greedy placement of four lifetimes that overlap in a chain has the offsets of the original (T-MP-1)") {
  CHECK(first_vector());
  CHECK(the_best_is_no_worse());
}
TEST_CASE("two small tensors reuse the memory of a large one (T-MP-2)") { CHECK(second_vector()); }
TEST_CASE("greedy placement places the later of two equal tensors first (T-MP-3)") { CHECK(third_vector()); }
TEST_CASE("tensors of several memories are placed separately in each memory (T-MP-4)") { CHECK(fourth_vector()); }

TEST_CASE("an arena is larger by the bytes that a backend may over-read (Q20)") {
  static basic_executor<sine_of<reads_ahead>, reference::any_aten> net;
  static basic_executor<sine_of<reads_no_more>, reference::any_aten> other;
  CHECK(net.arena_bytes == other.arena_bytes + 64);
  CHECK(net.lower_bound == other.lower_bound);
  net.run();  // under a sanitizer: the bytes past the arguments are readable
  CHECK(net.output()[0] == 0);
}
