// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton with_weights: the weights belong to another program; pass a baton::run_time_weights of this program
#include "fail/weighted_model.hpp"

#if defined(FIXED)
baton::run_time_weights<network> weights;
#else
baton::run_time_weights<other_network> weights;
#endif
baton::executor<network, baton::with_weights<weights>> net;
