// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The default policy of executors: a dense placement in which simultaneously live values are disjoint.
#pragma once

#include <baton/core/span.hpp>
#include <baton/plan/detail/region_placement.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/placement_strategies.hpp>
#include <baton/plan/shared/regions.hpp>

#include <cstdint>
#include <string_view>

namespace baton::memory_policies {

/// A policy in which simultaneously live values are disjoint, so no output overlaps an operand of its node. Tries placement orders until
/// one reaches the lower bound. If none reaches it, `place_best` searches for a smaller placement.
struct no_overlap {
  static constexpr std::string_view name = "no_overlap";
  static constexpr bool ignores_distances = true;
  static constexpr auto place(const memory_problem& problem) -> placement { return place_best(problem.items, problem.lower_bound); }
  static constexpr auto place_in_regions(const memory_problem& problem, span<const std::uint32_t> uses, const memory_regions& regions)
      -> split_layout {
    return baton::detail::place_in_regions(problem.items, uses, regions);
  }
};
static_assert(memory_policy<no_overlap>);

}  // namespace baton::memory_policies
