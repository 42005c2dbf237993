// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy that computes segments (consecutive nodes, see `stream_segment`) row by row.
#pragma once

#include <baton/plan/detail/stream_search.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/streams.hpp>

#include <string_view>

namespace baton::memory_policies {

/// A policy that runs segments row by row if this reduces the arena. Only a few rows of the values inside a segment are kept in memory.
/// Every row is still computed exactly once; only the order of the work changes. All other values are placed by `in_place`. If no segment
/// reduces the arena, the plan is identical to the plan of `in_place`.
struct row_streaming {
  static constexpr std::string_view name = "row_streaming";
  static constexpr auto place(const memory_problem& problem) -> placement { return in_place::place(problem); }
  static constexpr auto find_segments(const unstreamed_plan& baseline) -> stream_plan { return detail::stream_search(baseline).run(); }
};
static_assert(memory_policy<row_streaming>);

}  // namespace baton::memory_policies
