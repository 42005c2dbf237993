// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The base addresses of offsets in an executor.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// The base of an offset: the memory of the graph that runs, or a region of a split arena.
enum class memory_base : std::uint32_t { graph, fast_region, slow_region };

}  // namespace baton
