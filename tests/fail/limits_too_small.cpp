// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton limits_too_small: no combination of kernels and memory policy stays within the limits; raise the limits, or add a kernel that needs less
// EXPECT: "arena_bytes >= 64 (limit 63)"
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/stepping.hpp"

constexpr baton::static_program model{stepping::make_chain{}};
#if defined(FIXED)
constexpr baton::limits required{.arena_bytes = 64};
#else
constexpr baton::limits required{.arena_bytes = 63};
#endif
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, baton::within<required, stepping::costs>> net;
