// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The facts about operands, and the defaults, which promise nothing.
#include <baton/kernel/kernel_facts.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

constexpr auto operands_from_the_fourth_on_share_facts() -> bool {
  kernel_facts facts;
  for (std::size_t i = 0; i < 4; ++i) facts.operands[i].distance.ascending = static_cast<std::int64_t>(i);
  return facts.operand(0).distance.ascending == 0 && facts.operand(2).distance.ascending == 2 && facts.operand(3).distance.ascending == 3 &&
         facts.operand(4).distance.ascending == 3 && facts.operand(100).distance.ascending == 3;
}
static_assert(operands_from_the_fourth_on_share_facts());

constexpr auto the_defaults_promise_nothing() -> bool {
  const kernel_facts facts;
  for (std::size_t i = 0; i < 5; ++i) {
    if (facts.operand(i).distance != min_distance{} || facts.operand(i).window != row_window::none()) return false;
  }
  return facts.scratch_bytes == 0 && facts.overread_bytes == 0 && !facts.output_aliases_input &&
         facts.subviews == kernel_facts::subview_layout{} && facts.prepared.size() == 0 && facts.rows_per_step == 1 &&
         facts.single_row_scratch_bytes == npos && facts.sum_bytes == 0;
}
static_assert(the_defaults_promise_nothing());

/// The window of two nodes covers the windows of both nodes, one after the other. Without divisors, it covers nothing else.
constexpr auto composed_windows_cover_both() -> bool {
  using axis = row_window::axis;
  constexpr axis some[] = {{1, 0, 1}, {2, 1, 3}, {1, 2, 5}, {3, 0, 2}, {1, 0, 1, 2}, {1, 2, 3, 2}, {2, 3, 4, 3}};
  for (const auto& inner : some) {
    for (const auto& outer : some) {
      const auto both = outer.through(inner);
      for (std::int32_t at = 0; at < 40; ++at) {
        const auto first = inner.first(outer.first(at));
        const auto end = inner.end(outer.end(at, 1000) - 1, 1000);
        if (both.first(at) > first || both.end(at, 1000) < end) return false;
        if (inner.divisor == 1 && outer.divisor == 1 && at > 9 && (both.first(at) != first || both.end(at, 1000) != end)) return false;
      }
    }
  }
  return some[4].first(7) == 3 && some[4].end(7, 9) == 4 && some[5].first(1) == 0 && some[5].end(0, 9) == 2 && some[5].end(1, 9) == 2;
}
static_assert(composed_windows_cover_both());

}  // namespace

TEST_CASE("facts of kernels promise nothing by default, and composed windows cover both windows") {
  CHECK(composed_windows_cover_both());
  CHECK(operands_from_the_fourth_on_share_facts());
  CHECK(the_defaults_promise_nothing());
}
