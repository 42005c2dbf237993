// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lookup of the distances of one step in a memory problem. A `distance` states how far an input and an output may overlap.
#pragma once

#include <baton/core/span.hpp>
#include <baton/plan/memory_problem.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// Returns the distances of `step` as a contiguous view of `distances`, which is sorted by step. O(log n + size of the result).
constexpr auto distances_of_step(span<const distance> distances, std::uint32_t step) -> span<const distance> {
  std::size_t first = 0;
  for (auto left = distances.size(); left != 0;) {
    const auto half = left / 2;
    const bool is_before = distances[first + half].step < step;
    first += is_before ? half + 1 : 0;
    left = is_before ? left - half - 1 : half;
  }
  std::size_t last = first;
  while (last < distances.size() && distances[last].step == step) ++last;
  return distances.subspan(first, last - first);
}

}  // namespace baton
