// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: limits are given twice; remove one within
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/stepping.hpp"

using small = baton::within<baton::limits{.arena_bytes = 64}, stepping::costs>;
constexpr baton::static_program model{stepping::make_chain{}};
#if defined(FIXED)
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, small> net;
#else
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, small, small> net;
#endif
