// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unsplit_policy: a memory policy has no place_in_regions and cannot split an arena over two regions; add it, or use one region
// EXPECT: policy archetype
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/run/caller_arena.hpp>

#include "run/float_net.hpp"

baton::memory_region<32> fast;
baton::memory_region<32> slow;
#if defined(FIXED)
using policy = baton::memory_policies::no_reuse;
#else
using policy = baton::archetypes::memory_policy;
#endif
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>,
                      baton::planned_by<policy>>
    net;
