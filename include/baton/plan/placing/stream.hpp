// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy that computes runs of nodes row by row.
#pragma once

#include <baton/plan/detail/stream_search.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/placing/overlap.hpp>
#include <baton/plan/shared/streams.hpp>

#include <string_view>

namespace baton::placing {

/// Nodes run by rows, as segments, where the arena is smaller for it; of the values inside only a few rows are kept. The same work is done
/// in another order. Everything is placed as by `overlap`; where no segment pays, that is the plan.
struct stream {
  static constexpr std::string_view name = "stream";
  static constexpr auto place(const memory_problem& problem) -> placement { return overlap::place(problem); }
  static constexpr auto find_segments(const unstreamed_plan& without) -> stream_plan { return detail::stream_search(without).run(); }
};
static_assert(memory_policy<stream>);

}  // namespace baton::placing
