// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: an executor cannot be constructed with an arena, because it contains its arena; remove the argument, or select the memory by its type: baton::in_arena<pool>, where pool is a baton::arena_for<...>
#include "run/float_net.hpp"

#include <cstdint>

constexpr int arena_size = 2 * 1024;
alignas(16) std::uint8_t arena[arena_size];

#if defined(FIXED)
float_net::net_type net;
#else
float_net::net_type net(arena, arena_size);
#endif
