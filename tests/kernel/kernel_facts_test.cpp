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
         facts.subviews == kernel_facts::subview_layout{} && facts.prepared.size() == 0 && facts.rows_per_step == 1 && facts.sum_bytes == 0;
}
static_assert(the_defaults_promise_nothing());

}  // namespace

TEST_CASE("facts of kernels") {
  CHECK(operands_from_the_fourth_on_share_facts());
  CHECK(the_defaults_promise_nothing());
}
