// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A custom policy: items in the order in which they begin, each at the lowest offset that the distances to dying operands allow.
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
    baton::placement layout{{baton::vector<std::uint64_t>(problem.items.size(), 0), 0}, name};
    baton::vector<std::uint32_t> placed_items;
    for (std::uint32_t step = 0; step < baton::detail::steps_of(problem.items); ++step) {
      for (std::uint32_t item = 0; item < problem.items.size(); ++item) {
        if (problem.items[item].first != step) continue;
        while (!fits(problem, layout, placed_items, item)) layout.offsets[item] += problem.alignment;
        layout.bytes = std::max(layout.bytes, layout.offsets[item] + problem.items[item].bytes);
        placed_items.push_back(item);
      }
    }
    return layout;
  }

 private:
  static constexpr auto fits(const baton::memory_problem& problem, const baton::placement& layout,
                             const baton::vector<std::uint32_t>& placed_items, std::uint32_t item) -> bool {
    const auto step_distances = baton::distances_of_step(problem.distances, problem.items[item].first);
    for (const auto other : placed_items) {
      if (!baton::detail::live_together(problem.items[item], problem.items[other])) continue;
      if (!baton::detail::share_memory(problem.items[item], layout.offsets[item], problem.items[other], layout.offsets[other])) continue;
      const bool is_pair = std::any_of(step_distances.begin(), step_distances.end(),
                                       [&](const baton::distance& each) { return each.input == other && each.output == item; });
      if (!is_pair) return false;
    }
    baton::vector<baton::distance> known;  // those of the outputs that have an offset
    for (const auto& each : step_distances) {
      if (each.output == item || std::find(placed_items.begin(), placed_items.end(), each.output) != placed_items.end())
        known.push_back(each);
    }
    return baton::detail::distances_hold(problem.items, known, layout.offsets, baton::write_order::ascending) ||
           baton::detail::distances_hold(problem.items, known, layout.offsets, baton::write_order::descending);
  }
};
static_assert(baton::memory_policy<sliding>);
