// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory to which an offset is relative.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// The memory to which an offset is relative: the memory of a graph, or a region of a split arena (see `memory_regions`).
enum class memory_base : std::uint32_t { graph, fast_region, slow_region };

}  // namespace baton
