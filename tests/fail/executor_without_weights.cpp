// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the program has external constants, but no weights are given; pass a baton::with_weights<weights>
#include "fail/weighted_model.hpp"

#if defined(FIXED)
baton::run_time_weights<network> weights;
baton::executor<network, baton::with_weights<weights>> net;
#else
baton::executor<network> net;
#endif
