// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Placing in several memories, as the original's planner numbers them.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// What lies in several memories: by entry its offset in its own memory, by memory its bytes (ExecuTorch's list of buffer sizes; there,
/// memory 0 is that of constants).
struct pool_layout {
  vector<std::uint64_t> offsets;
  vector<std::uint64_t> bytes;
};

/// Places the entries of each memory by themselves; `pools` says, by entry, in which memory it lies, `place` is a way like `place_apart`.
template <class Place>
constexpr auto place_in_pools(span<const lifetime> needs, span<const std::uint32_t> pools, Place place) -> pool_layout {
  pool_layout made{vector<std::uint64_t>(needs.size(), 0), {}};
  std::uint32_t count = 0;
  for (const auto pool : pools) count = std::max(count, pool + 1);
  for (std::uint32_t pool = 0; pool < count; ++pool) {
    vector<lifetime> inside;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (pools[i] == pool) inside.push_back(needs[i]);
    }
    const memory_layout here = place(span<const lifetime>{inside});
    std::size_t next = 0;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (pools[i] == pool) made.offsets[i] = here.offsets[next++];
    }
    made.bytes.push_back(here.bytes);
  }
  return made;
}

}  // namespace baton
