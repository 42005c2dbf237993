// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A schedule policy with an order far from that of the program.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/plan/schedule_policy.hpp>

#include <cstdint>
#include <string_view>

namespace plan_tests {

/// Always runs the last node that is ready.
struct last_first {
  static constexpr std::string_view name = "last first";
  static constexpr auto order(const baton::schedule_problem& problem) -> baton::vector<std::uint32_t> {
    const auto count = problem.program[problem.graph].nodes.size;
    baton::vector<std::uint32_t> waits(count, 0);
    for (const auto& each : problem.dependencies) ++waits[each.second];
    baton::vector<char> has_run(count, 0);
    baton::vector<std::uint32_t> sequence;
    while (sequence.size() < count) {
      for (auto n = count; n-- > 0;) {
        if (has_run[n] != 0 || waits[n] != 0) continue;
        has_run[n] = 1;
        sequence.push_back(n);
        for (const auto& [before, after] : problem.dependencies) waits[after] -= before == n ? 1 : 0;
        break;
      }
    }
    return sequence;
  }
};

}  // namespace plan_tests
