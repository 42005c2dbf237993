// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: weights are given twice; remove one with_weights
#include "fail/weighted_model.hpp"

baton::run_time_weights<network> weights;
#if defined(FIXED)
baton::executor<network, baton::with_weights<weights>> net;
#else
baton::executor<network, baton::with_weights<weights>, baton::with_weights<weights>> net;
#endif
