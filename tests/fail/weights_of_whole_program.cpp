// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton run_time_weights: the program has no external constants; apply the pass baton::external_weights to it
#include "fail/weighted_model.hpp"

#if defined(FIXED)
baton::run_time_weights<network> weights;
#else
baton::run_time_weights<model> weights;
#endif
