// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton too_many_forms: more kernels support a node than a search within limits compares; remove kernels from the list
// EXPECT: at_node<0, baton::fixed_string<2>{"a"}>
// EXPECT: "9 kernels, the limit is 8"
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/numbered_kernels.hpp"

constexpr baton::static_program model{stepping::make_chain{}};
#if defined(FIXED)
constexpr auto kernels = stepping::numbered_kernels<8>;
#else
constexpr auto kernels = stepping::numbered_kernels<9>;
#endif
baton::basic_executor<model, kernels, baton::plan_options{}, baton::within<baton::limits{}, stepping::numbered_costs>> net;
