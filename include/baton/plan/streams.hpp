// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Segments: runs of nodes that are computed row by row, so that of the values between them only a few rows are kept.
#pragma once

#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/row_window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// An image of a batch of one.
struct image_facts {
  bool is_image = false;
  std::int32_t rows = 1;
  std::int32_t columns = 1;
  std::uint32_t pixel_bytes = 0;
};

/// What a value is as an image.
constexpr auto image_of(const program_view& program, value_id id) -> image_facts {
  const auto shape = program.shape(id);
  const auto bits = facts(program[id].type).bits;
  if (shape.size() != 4 || shape[0] != 1 || bits == 0 || bits % 8 != 0 || byte_count(program[id].type, shape) <= 0) return {};
  return {true, static_cast<std::int32_t>(shape[1]), static_cast<std::int32_t>(shape[2]),
          static_cast<std::uint32_t>(shape[3] * (bits / 8))};
}

/// An operand of a node that is computed by rows.
struct row_operand {
  value_id value = none<value_id>;
  std::uint32_t producer = npos;  ///< the node of the graph that makes it; `npos`: none does
  std::int32_t rows = 1;
  std::uint32_t row_bytes = 0;
  row_window window{};
};

/// A node of the graph, as far as it can be computed by rows.
struct row_node {
  bool has_rows = false;        ///< whether its kernel computes rows alone; of others nothing else is said
  bool has_pixels = false;      ///< whether it computes pixels of a row alone
  std::uint32_t sum_bytes = 0;  ///< where its only row is summed up from rows of its operand as they come: the memory for that
  value_id output = none<value_id>;
  std::int32_t rows = 1;
  std::int32_t rows_at_once = 1;  ///< how many a step makes, or fewer at an end
  std::int32_t columns = 1;
  std::uint32_t pixel_bytes = 0;
  range operands{};  ///< those in memory

  constexpr auto row_bytes() const -> std::uint32_t { return pixel_bytes * static_cast<std::uint32_t>(columns); }
};

/// The root graph by rows; nodes are counted from its first.
struct row_graph {
  vector<row_node> nodes;
  vector<row_operand> operands;

  constexpr auto operands_of(const row_node& node) const -> span<const row_operand> {
    return span<const row_operand>{operands}.subspan(node.operands.first, node.operands.size);
  }
  constexpr auto operands_of(std::uint32_t n) const -> span<const row_operand> { return operands_of(nodes[n]); }
};

/// What the next step of a node needs of an operand, and what the operand's own steps may make for it.
struct row_demand {
  std::int32_t needed = 0;  ///< the end of the rows that must be made
  std::int32_t most = 0;    ///< the end of those that may be
};
/// The demand of a step that makes rows up to `last` of a node, for an operand with so many rows. Who asks for no fewer rows a step than
/// the operand's node makes is given no more than it asks for, so that no row is kept because of where steps begin.
constexpr auto demand_of(const axis_window& window, std::int32_t last, std::int32_t rows_at_once, std::int32_t rows,
                         std::int32_t made_at_once) -> row_demand {
  const auto needed = window.last(last - 1, rows);
  return {needed, rows_at_once * window.stride >= made_at_once ? needed : rows};
}

/// What is kept of the output of a node in a segment.
struct kept_rows {
  std::int32_t rows = 0;     ///< the last so many rows; 0: none
  std::int32_t pixels = 0;   ///< of a value whose only user is computed pixel by pixel with it: so many of a row; 0: whole rows
  std::uint32_t offset = 0;  ///< in the memory of the segment, in bytes: of these, or of what the node's row is summed up in
};

}  // namespace detail

/// Nodes of the root graph that run together, in one step of the plan. What the first one's operand and the last one's output are, is kept
/// as a whole; of the other values, rows in one memory that all the nodes share with what their kernels need while they run.
struct stream_segment {
  std::uint32_t first = 0;  ///< node of the graph
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
  detail::row_graph graph;
  vector<stream_segment> segments;
  vector<detail::kept_rows> kept;

  constexpr auto kept_of(const stream_segment& of) const -> span<const detail::kept_rows> {
    return span<const detail::kept_rows>{kept}.subspan(of.kept, of.count);
  }
  /// The segment that a node of the graph is in, or null.
  constexpr auto segment_of(std::uint32_t n) const -> const stream_segment* {
    for (const auto& each : segments) {
      if (each.first <= n && n <= each.last()) return &each;
    }
    return nullptr;
  }
};

/// What segments are looked for in: the root graph by rows, and what its memory is without any.
struct unstreamed_plan {
  const detail::row_graph& graph;
  memory_problem memory;
  span<const std::uint32_t> of_value;  ///< by value of the program: its item, counted from `first_item`, or `npos`
  std::uint32_t first_item = 0;
  span<const std::uint32_t> scratch_bytes;  ///< by node of the graph: what its kernel needs while it runs; empty: none needs any
};

}  // namespace baton
