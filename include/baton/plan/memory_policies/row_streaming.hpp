// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy that computes segments of nodes row by row.
#pragma once

#include <baton/plan/detail/stream_search.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/streams.hpp>

#include <string_view>

namespace baton::memory_policies {

/// A policy that runs segments of nodes row by row if the arena becomes smaller. Only a few rows of the values in a segment are kept. The
/// same work is done in another order. All other values are placed as by `in_place`, whose plan is used if no segment reduces the arena.
struct row_streaming {
  static constexpr std::string_view name = "row_streaming";
  static constexpr auto place(const memory_problem& problem) -> placement { return in_place::place(problem); }
  static constexpr auto find_segments(const unstreamed_plan& baseline) -> stream_plan { return detail::stream_search(baseline).run(); }
};
static_assert(memory_policy<row_streaming>);

}  // namespace baton::memory_policies
