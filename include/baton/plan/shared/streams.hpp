// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Segments: runs of nodes that are computed row by row, so that of the values between them only a few rows are kept.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/row_graph.hpp>

#include <cstdint>

namespace baton {

/// Nodes of the root graph that run together, in one step of the plan. What the first one's operand and the last one's output are, is kept
/// as a whole; of the other values, rows in one memory that all the nodes share with what their kernels need while they run.
struct stream_segment {
  std::uint32_t first = 0;  ///< place in the schedule, which begins with the nodes of the root
  std::uint32_t count = 0;
  value_id input = none<value_id>;
  std::int64_t distance = least_distance::apart;  ///< least from the output to the input, written upward
  /// The same of the kernel of the last node, where it reads the input, too.
  std::int64_t distance_of_last = least_distance::apart;
  std::uint32_t bytes = 0;
  std::uint32_t kept = 0;  ///< where in `stream_plan::kept` that of the first node stands

  constexpr auto last() const -> std::uint32_t { return first + count - 1; }
};

/// The segments of a plan. Everything else runs node by node.
struct stream_plan {
  row_graph graph;
  vector<stream_segment> segments;
  vector<kept_rows> kept;

  constexpr auto kept_of(const stream_segment& of) const -> span<const kept_rows> {
    return span<const kept_rows>{kept}.subspan(of.kept, of.count);
  }
  /// The segment that the node at a place of the schedule is in, or null.
  constexpr auto segment_of(std::uint32_t n) const -> const stream_segment* {
    for (const auto& each : segments) {
      if (each.first <= n && n <= each.last()) return &each;
    }
    return nullptr;
  }
};

/// What segments are looked for in: the root graph by rows, and what its memory is without any.
struct unstreamed_plan {
  const row_graph& graph;
  memory_problem memory;
  span<const std::uint32_t> of_value;  ///< by value of the program: its item, counted from `first_item`, or `npos`
  std::uint32_t first_item = 0;
  span<const std::uint32_t> scratch_bytes;  ///< by node of `graph`: what its kernel needs while it runs; empty: none needs any
};

}  // namespace baton
