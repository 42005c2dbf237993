// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: one policy puts nodes in order; here are two; leave one scheduled_by out
#include "run/float_net.hpp"

using as_they_stand = baton::archetypes::schedule_policy;

#if defined(FIXED)
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::scheduled_by<as_they_stand>> net;
#else
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::scheduled_by<as_they_stand>,
                      baton::scheduled_by<as_they_stand>>
    net;
#endif
