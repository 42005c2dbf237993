// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placement in several memories, which are numbered as in ExecuTorch's memory planner.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// A placement in several memories. `bytes` corresponds to ExecuTorch's list of buffer sizes. In ExecuTorch, memory 0 contains the
/// constants.
struct pool_layout {
  vector<std::uint64_t> offsets;  ///< for each lifetime, the offset in its memory, in bytes
  vector<std::uint64_t> bytes;    ///< for each memory, the size in bytes
};

/// Places `lifetimes`, one memory after the other. `pools[i]` is the memory of lifetime `i`. `place` is a placement strategy such as
/// `place_without_reuse`, and is called with the lifetimes of one memory.
template <class Place>
constexpr auto place_in_pools(span<const lifetime> lifetimes, span<const std::uint32_t> pools, Place place) -> pool_layout {
  pool_layout result{vector<std::uint64_t>(lifetimes.size(), 0), {}};
  std::uint32_t count = 0;
  for (const auto pool : pools) count = std::max(count, pool + 1);
  for (std::uint32_t pool = 0; pool < count; ++pool) {
    vector<lifetime> members;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
      if (pools[i] == pool) members.push_back(lifetimes[i]);
    }
    const memory_layout layout = place(span<const lifetime>{members});
    std::size_t next = 0;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
      if (pools[i] == pool) result.offsets[i] = layout.offsets[next++];
    }
    result.bytes.push_back(layout.bytes);
  }
  return result;
}

}  // namespace baton
