// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A policy of a user's own: items in the order in which they begin, each as low as it may lie, on dying operands as far as these allow.
#pragma once

#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/distances_of_step.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

struct sliding {
  static constexpr std::string_view name = "sliding";

  static constexpr auto place(const baton::memory_problem& problem) -> baton::placement {
    baton::placement made{{baton::vector<std::uint64_t>(problem.items.size(), 0), 0}, name};
    baton::vector<std::uint32_t> memory_layout;
    for (std::uint32_t step = 0; step < baton::detail::steps_of(problem.items); ++step) {
      for (std::uint32_t item = 0; item < problem.items.size(); ++item) {
        if (problem.items[item].first != step) continue;
        while (!may_lie(problem, made, memory_layout, item)) made.offsets[item] += problem.alignment;
        made.bytes = std::max(made.bytes, made.offsets[item] + problem.items[item].bytes);
        memory_layout.push_back(item);
      }
    }
    return made;
  }

 private:
  static constexpr auto may_lie(const baton::memory_problem& problem, const baton::placement& made,
                                const baton::vector<std::uint32_t>& memory_layout, std::uint32_t item) -> bool {
    const auto of_step = baton::distances_of_step(problem.distances, problem.items[item].first);
    for (const auto other : memory_layout) {
      if (!baton::detail::live_together(problem.items[item], problem.items[other])) continue;
      if (!baton::detail::share_memory(problem.items[item], made.offsets[item], problem.items[other], made.offsets[other])) continue;
      const bool is_pair = std::any_of(of_step.begin(), of_step.end(),
                                       [&](const baton::distance& each) { return each.input == other && each.output == item; });
      if (!is_pair) return false;
    }
    const bool is_output = std::any_of(of_step.begin(), of_step.end(), [&](const baton::distance& each) { return each.output == item; });
    return !is_output || baton::detail::distances_hold(problem.items, of_step, made.offsets, baton::write_order::ascending) ||
           baton::detail::distances_hold(problem.items, of_step, made.offsets, baton::write_order::descending);
  }
};
static_assert(baton::memory_policy<sliding>);
