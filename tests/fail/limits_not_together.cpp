// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton limits_too_small: no combination of kernels and memory policy stays within the limits; raise the limits, or add a kernel that needs less
// EXPECT: because<baton::fixed_string<31>{"each limit can be kept alone, "}, baton::fixed_string<23>{"but not all together; "}, baton::fixed_string<20>{"raise one of them; "}, baton::fixed_string<32>{"arena_bytes >= 128 (limit 96); "}, baton::fixed_string<27>{"slice_instructions >= 128 "}, baton::fixed_string<20>{"(limit 100, node a)"}>
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/in_slices.hpp>

#include "plan/stepping.hpp"

constexpr baton::static_program model{stepping::make_chain{}};
#if defined(FIXED)
constexpr baton::limits required{.arena_bytes = 96, .slice_instructions = 128};
#else
constexpr baton::limits required{.arena_bytes = 96, .slice_instructions = 100};
#endif
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, baton::within<required, stepping::costs>, baton::in_slices> net;
