// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton memory_region: a memory region has no bytes; state its size
#include <baton/run/caller_arena.hpp>

#if defined(FIXED)
baton::memory_region<16> fast;
#else
baton::memory_region<0> fast;
#endif
