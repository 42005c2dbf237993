// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton in_regions: a region is less aligned than the plan requires; use a baton::memory_region<bytes, alignment>
// EXPECT: given_alignment<1>
// EXPECT: wanted_alignment<16>
#include <baton/run/caller_arena.hpp>

#include "run/float_net.hpp"

#include <cstddef>

baton::memory_region<32> fast;
#if defined(FIXED)
baton::memory_region<64> slow;
#else
std::byte slow[64];  // enough, but bytes are aligned as bytes
#endif
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>> net;
