// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton costs_overflow: all costs of a program must add up to less than 5*10^14; these add up to more; state them in a larger unit
// EXPECT: at_node<0, baton::fixed_string<4>{"add"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
#include <baton/core/rules.hpp>
#include <baton/partition/costs.hpp>

#include "conformance/graphs.hpp"

#include <cstdint>
#include <string_view>

// Costs below 10^9 come to so much in millions of nodes only, too many for a compiler: here the table is made by hand.
constexpr auto table() -> baton::cost_table {
#if defined(FIXED)
  constexpr std::int64_t amount = 1;
#else
  constexpr std::int64_t amount = INT64_MAX;
#endif
  baton::cost_table made;
  made.nodes = {{1, 1}, {amount, amount}};
  made.values.resize(2);
  made.calls = {0, 0};
  return made;
}
constexpr std::string_view ids[] = {"", "Npu"};
constexpr baton::static_failure why{baton::check_costs(conformance::g_reuse(), table(), ids)};
static_assert((baton::require_unbroken<why>(), true));
