// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memories that an executor counts offsets in.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// What an offset is counted from: where the memory of a graph begins that runs, or one of the regions of a split arena.
enum class memory_base : std::uint32_t { graph, fast_region, slow_region };

}  // namespace baton
