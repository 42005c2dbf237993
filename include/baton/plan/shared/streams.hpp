// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Segments: ranges of nodes that are computed row by row, so that only a few rows of the values between them are kept.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/row_graph.hpp>

#include <cstdint>

namespace baton {

/// Nodes of the root graph that run together, in one step of the plan. The operand of the first node and the output of the last node are
/// whole values. The rows of all other values are in memory that the nodes share with the scratch of their kernels.
struct stream_segment {
  std::uint32_t first = 0;  ///< position in the schedule, which begins with the nodes of the root
  std::uint32_t count = 0;
  value_id input = none<value_id>;
  std::int64_t distance = min_distance::apart;  ///< the minimum distance from the output to the input, for ascending writes, in bytes
  /// The same distance for the kernel of the last node, if it also reads the input.
  std::int64_t distance_of_last = min_distance::apart;
  std::uint32_t bytes = 0;
  std::uint32_t kept = 0;  ///< the index of the first node in `stream_plan::kept`

  constexpr auto last() const -> std::uint32_t { return first + count - 1; }
};

/// The segments of a plan. All other nodes run one by one.
struct stream_plan {
  row_graph graph;
  vector<stream_segment> segments;
  vector<kept_rows> kept;

  constexpr auto kept_of(const stream_segment& of) const -> span<const kept_rows> {
    return span<const kept_rows>{kept}.subspan(of.kept, of.count);
  }
  /// Returns the segment of the node at position `n` of the schedule, or null.
  constexpr auto segment_of(std::uint32_t n) const -> const stream_segment* {
    for (const auto& each : segments) {
      if (each.first <= n && n <= each.last()) return &each;
    }
    return nullptr;
  }
};

/// The input of a search for segments: the root graph by rows, and its memory without segments.
struct unstreamed_plan {
  const row_graph& graph;
  memory_problem memory;
  span<const std::uint32_t> of_value;  ///< by value of the program: its item plus `first_item`, or `npos`
  std::uint32_t first_item = 0;
  span<const std::uint32_t> scratch_bytes;  ///< by node of `graph`: the scratch of its kernel; empty if no kernel has any
};

}  // namespace baton
