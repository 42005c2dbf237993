// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: plan options are given twice; remove one with_plan_options
#include <baton/executor.hpp>

#include "fail/relu_model.hpp"

using aligned = baton::with_plan_options<baton::plan_options{.alignment = 64}>;
#if defined(FIXED)
baton::executor<model, aligned> net;
#else
baton::executor<model, aligned, aligned> net;
#endif
