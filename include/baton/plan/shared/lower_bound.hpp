// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A lower bound on the bytes that a placement without overlap needs.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// Returns the maximum of simultaneously live bytes. Every placement in which live items are disjoint needs at least this number of bytes.
constexpr auto lower_bound(span<const lifetime> needs) -> std::uint64_t {
  const auto steps = detail::steps_of(needs);
  vector<std::uint64_t> begins(steps + 1, 0);
  vector<std::uint64_t> ends(steps + 1, 0);
  for (const auto& need : needs) {
    begins[need.first] += need.bytes;
    ends[need.last + 1] += need.bytes;
  }
  std::uint64_t live = 0;
  std::uint64_t max_bytes = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    live = live + begins[step] - ends[step];
    max_bytes = std::max(max_bytes, live);
  }
  return max_bytes;
}

}  // namespace baton
