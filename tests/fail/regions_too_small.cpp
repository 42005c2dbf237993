// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton regions_too_small: the values that are live at the same time do not fit the two memory regions; enlarge one
// EXPECT: the slow region of 16 bytes
// EXPECT: 32 would be enough
#include <baton/run/caller_arena.hpp>

#include "run/float_net.hpp"

baton::memory_region<32> fast;
#if defined(FIXED)
baton::memory_region<32> slow;
#else
baton::memory_region<16> slow;  // input and output have 24 bytes each, and are live at the same time
#endif
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>> net;
