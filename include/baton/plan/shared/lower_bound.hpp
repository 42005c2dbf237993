// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What no placing that keeps things apart goes below.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <cstdint>

namespace baton {

/// The most bytes that live at once: no plan with whole operators can need less.
constexpr auto lower_bound(span<const lifetime> needs) -> std::uint64_t {
  const auto steps = detail::steps_of(needs);
  vector<std::uint64_t> begins(steps + 1, 0);
  vector<std::uint64_t> ends(steps + 1, 0);
  for (const auto& need : needs) {
    begins[need.first] += need.bytes;
    ends[need.last + 1] += need.bytes;
  }
  std::uint64_t live = 0;
  std::uint64_t most = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    live = live + begins[step] - ends[step];
    most = std::max(most, live);
  }
  return most;
}

}  // namespace baton
