// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy that overwrites no value during a run, so that all values can be inspected afterwards.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/region_placement.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/placement_strategies.hpp>
#include <baton/plan/shared/regions.hpp>

#include <cstdint>
#include <string_view>

namespace baton::memory_policies {

/// A policy that places each value in memory of its own.
struct no_reuse {
  static constexpr std::string_view name = "no_reuse";
  static constexpr bool ignores_distances = true;
  static constexpr auto place(const memory_problem& problem) -> placement { return {place_without_reuse(problem.items), name}; }
  static constexpr auto place_in_regions(const memory_problem& problem, span<const std::uint32_t> uses, const memory_regions& regions)
      -> split_layout {
    vector<lifetime> simultaneous;
    for (const auto& item : problem.items) simultaneous.push_back({0, 0, item.bytes});
    auto layout = baton::detail::place_in_regions(simultaneous, uses, regions);
    layout.strategy = name;
    return layout;
  }
};
static_assert(memory_policy<no_reuse>);

}  // namespace baton::memory_policies
