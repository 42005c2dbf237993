// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy for minimal memory: outputs overlap operands that are not read later, as far as kernels allow.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/plan/detail/overlap_search.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/placement_strategies.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace baton::memory_policies {

/// A policy in which outputs overlap operands that are not read later, as far as distances (see `min_distance`) allow. Searches for a
/// placement as small as the lower bound (`overlap_search::lower_bound`). If no such placement is found within the search budget, returns
/// the smallest placement that was found. The result is never larger than the placement of `no_overlap`. During a run, values that the
/// model computes may overwrite the model's inputs.
struct in_place {
  static constexpr std::string_view name = "in_place";

  static constexpr auto place(const memory_problem& problem) -> placement {
    if (problem.distances.empty()) return no_overlap::place(problem);
    detail::overlap_search search(problem);
    const auto bound = search.lower_bound();
    const auto pass_budget = budget_per_item * static_cast<std::int64_t>(problem.items.size());
    auto budget = std::max(detail::search_budget(problem.items) / 3 * 2, 2 * pass_budget);
    placement best_placement;
    if (!try_bytes(problem, search, bound, budget / 2, budget, best_placement)) {
      best_placement = no_overlap::place(problem);
      auto failed_bytes = bound;
      while (budget >= pass_budget && failed_bytes + problem.alignment < best_placement.bytes) {
        const auto middle = failed_bytes + (best_placement.bytes - failed_bytes) / 2 / problem.alignment * problem.alignment;
        if (!try_bytes(problem, search, middle, std::max(budget / 3, pass_budget), budget, best_placement)) failed_bytes = middle;
      }
    }
    best_placement.is_optimal = best_placement.bytes <= bound;
    best_placement.lower_bound = std::min(bound, problem.lower_bound);
    return best_placement;
  }

 private:
  /// The minimum budget of an attempt to place all items, divided by the number of items. The budget is counted in units of about 20 steps
  /// of Clang's constant evaluation. An item that fits at the first offset that is tried uses fewer than 12 units. If there are few items,
  /// all attempts together may use a quarter of Clang's default step limit.
  static constexpr std::int64_t budget_per_item = 12;

  /// Searches for a placement in `bytes` bytes, with `share` units of the remaining `budget`. Unused units stay in `budget`. If a placement
  /// is found, stores it in `best_placement` and returns true.
  static constexpr auto try_bytes(const memory_problem& problem, detail::overlap_search& search, std::uint64_t bytes, std::int64_t share,
                                  std::int64_t& budget, placement& best_placement) -> bool {
    budget -= share;
    const bool success = search.run(bytes, share);
    budget += std::max<std::int64_t>(share, 0);
    if (!success) return false;
    best_placement = {{search.offsets(), 0}, "by distances"};
    for (std::size_t i = 0; i < problem.items.size(); ++i)
      best_placement.bytes = std::max(best_placement.bytes, best_placement.offsets[i] + problem.items[i].bytes);
    return true;
  }
};
static_assert(memory_policy<in_place>);

}  // namespace baton::memory_policies
