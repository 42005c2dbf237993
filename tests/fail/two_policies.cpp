// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: memory policies are given twice; remove one planned_by
#include <baton/plan/memory_policies/no_reuse.hpp>

#include "run/float_net.hpp"

#if defined(FIXED)
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{},
                      baton::planned_by<baton::memory_policies::no_reuse>>
    net;
#else
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{},
                      baton::planned_by<baton::memory_policies::no_reuse>, baton::planned_by<baton::memory_policies::no_overlap>>
    net;
#endif
