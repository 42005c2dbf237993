// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton in_regions: the fast and the slow region are the same variable; use two variables
#include <baton/run/caller_arena.hpp>

#include "run/float_net.hpp"

baton::memory_region<64> fast;
baton::memory_region<64> slow;
#if defined(FIXED)
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>> net;
#else
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, fast>> net;
#endif
