// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: schedule policies are given twice; remove one scheduled_by
#include "run/float_net.hpp"

using as_they_stand = baton::archetypes::schedule_policy;

#if defined(FIXED)
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::scheduled_by<as_they_stand>> net;
#else
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::scheduled_by<as_they_stand>,
                      baton::scheduled_by<as_they_stand>>
    net;
#endif
