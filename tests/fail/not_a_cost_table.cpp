// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the second argument of within is not a cost table; write: template <class Kernel> static constexpr auto node(const baton::program_view&, const baton::node&) -> baton::node_cost
#include <baton/plan/within.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/stepping.hpp"

struct no_costs {};
constexpr baton::static_program model{stepping::make_chain{}};
#if defined(FIXED)
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, baton::within<baton::limits{}, stepping::costs>> net;
#else
baton::basic_executor<model, stepping::kernels, baton::plan_options{}, baton::within<baton::limits{}, no_costs>> net;
#endif
