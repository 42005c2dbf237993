// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton with_weights: a method of a methods executor cannot have weights at run time; use an executor of one program
#include "fail/weighted_model.hpp"

baton::run_time_weights<network> weights;
#if defined(FIXED)
baton::executor<network, baton::with_weights<weights>> net;
#else
constexpr auto all = baton::methods(baton::method<"forward">(network));
baton::methods_executor<all, baton::state_sharing::none, baton::with_weights<weights>> net;
#endif
