// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Segments: ranges of nodes that are computed row by row, so that only a few rows of the intermediate values are in memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/row_graph.hpp>

#include <cstdint>

namespace baton {

/// A segment: consecutive nodes of the root graph that run together, row by row, in one step of the schedule. A row of a node is computed
/// only when a later node of the segment needs this row. The operand `input` of the first node and the output of the last node are stored
/// as whole values. The values between the nodes are stored as a few rows, in one block of memory that also contains the scratch of the
/// kernels.
struct stream_segment {
  std::uint32_t first = 0;  ///< the position of the first node in the schedule, which begins with the nodes of the root
  std::uint32_t count = 0;
  value_id input = none<value_id>;
  /// The minimum distance (see `min_distance`) from the output to the input, in bytes: the input's offset minus the output's offset. A
  /// segment writes its output in ascending order.
  std::int64_t distance = min_distance::disjoint;
  /// The minimum distance between `input` and the output of the last node, for ascending writes. The kernel of the last node declares this
  /// distance. `disjoint` if the kernel declares none. Used only if the last node also reads `input`.
  std::int64_t distance_of_last = min_distance::disjoint;
  std::uint32_t bytes = 0;  ///< the size of the block of memory
  std::uint32_t kept = 0;   ///< the position of the first node's element in `stream_plan::kept`
  /// The minimum distance in bytes from the block of memory to the input: the input's offset minus the block's offset. At this distance,
  /// each part of the block overlaps only input rows that are no longer needed when the part is first written. `disjoint` if the input and
  /// the block must not overlap.
  std::int64_t memory_distance = min_distance::disjoint;
  /// The minimum distance in bytes from the output to the block of memory: the block's offset minus the output's offset. At this distance,
  /// each output row overlaps only parts of the block that are no longer needed when the row is written. `disjoint` if the block and the
  /// output must not overlap.
  std::int64_t output_distance = min_distance::disjoint;
  std::uint32_t scratch_offset = 0;  ///< the offset of the scratch in the block of memory

  constexpr auto last() const -> std::uint32_t { return first + count - 1; }
};

/// The segments of a plan. Nodes that are not in a segment run one by one.
struct stream_plan {
  row_graph graph;
  vector<stream_segment> segments;
  vector<kept_rows> kept;  ///< segment by segment: one element for each node

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

/// The input of a search for segments: the row-wise view of the root graph, and the memory problem of a plan without segments.
struct unstreamed_plan {
  const row_graph& graph;
  memory_problem memory;
  /// Indexed by value: the index of the value's item in `memory`, plus `first_item`. `npos` if the value has no item.
  span<const std::uint32_t> value_items;
  std::uint32_t first_item = 0;
};

}  // namespace baton
