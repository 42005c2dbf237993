// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a memory plan has one set of options; this one has two; remove the other with_plan_options
#include <baton/baton.hpp>

#include "fail/relu_model.hpp"

using aligned = baton::with_plan_options<baton::plan_options{.alignment = 64}>;
#if defined(FIXED)
baton::executor<model, aligned> net;
#else
baton::executor<model, aligned, aligned> net;
#endif
