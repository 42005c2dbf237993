// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton in_arena: an arena is smaller or less aligned than the plan requires; use a baton::arena_for<...>
// EXPECT: wanted_arena<64, 16>
#include "run/float_net.hpp"

#include <cstddef>

#if defined(FIXED)
baton::arena_for<float_net::net_type> pool;
#else
std::byte pool[64];  // large enough, but its alignment is 1
#endif
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_arena<pool>> net;
