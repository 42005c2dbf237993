// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: slice_instructions limits the slices of in_slices; add baton::in_slices, or remove the limit
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/stepping.hpp"

using short_slices = baton::within<baton::limits{.slice_instructions = 64}, stepping::costs>;
constexpr baton::static_program model{stepping::make_chain{}};
#if defined(FIXED)
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, short_slices, baton::in_slices> net;
#else
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, short_slices> net;
#endif
