// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The row-wise view of the root graph: the nodes that can be computed row by row, and the operand rows that they read.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/row_window.hpp>

#include <cstdint>

namespace baton {

/// The layout of a value as an image with batch size 1.
struct image_facts {
  bool is_image = false;
  std::int32_t rows = 1;
  std::int32_t columns = 1;
  std::uint32_t pixel_bytes = 0;
};

/// Returns the image layout of a value. `is_image` is false if the shape is not [1, height, width, channels], or if elements are not whole
/// bytes. It is also false if the size is zero or unknown.
constexpr auto image_of(const program_view& program, value_id id) -> image_facts {
  const auto shape = program.shape(id);
  const auto bits = facts(program[id].type).bits;
  if (shape.size() != 4 || shape[0] != 1 || bits == 0 || bits % 8 != 0 || byte_count(program[id].type, shape) <= 0) return {};
  return {true, static_cast<std::int32_t>(shape[1]), static_cast<std::int32_t>(shape[2]),
          static_cast<std::uint32_t>(shape[3] * (bits / 8))};
}

/// An operand of a node that is computed row by row.
struct row_operand {
  value_id value = none<value_id>;
  std::uint32_t producer = npos;  ///< the position of its producer in `row_graph::nodes`; `npos` if no node produces it
  std::int32_t rows = 1;
  std::uint32_t row_bytes = 0;
  row_window window{};
  /// The minimum distance (see `min_distance`) from output row r to operand row r, in bytes: the operand row's offset minus the output
  /// row's offset. At least 0. `disjoint` in each of these cases:
  /// - The kernel declares no distance for ascending writes, or the distance would be at least the size of an output row.
  /// - Output row r depends on an operand row other than row r.
  /// - The operand and the output have different numbers of rows.
  /// - A step of the node (one call of `compute_rows`) computes several rows.
  std::int64_t row_distance = min_distance::disjoint;
};

/// The rows of a node of the graph.
struct row_node {
  bool has_rows = false;        ///< whether the node's kernel can compute the node row by row; if false, the other members have no meaning
  bool has_pixels = false;      ///< whether the node's kernel can compute single pixels of a row
  std::uint32_t sum_bytes = 0;  ///< the working memory for summing operand rows, in bytes; 0 if the node is not computed by summing rows
  std::uint32_t scratch_bytes = 0;  ///< `kernel_facts::row_scratch_bytes`
  /// The scratch, in bytes, of a step that computes only one row (`kernel_facts::single_row_scratch_bytes`). `npos` if the kernel has no
  /// such steps, or if all its steps compute one row (`rows_per_step` is 1).
  std::uint32_t single_row_scratch_bytes = npos;
  value_id output = none<value_id>;
  std::int32_t rows = 1;
  std::int32_t rows_per_step = 1;  ///< the number of rows that a step (one call of `compute_rows`) computes; the last step may compute
                                   ///< fewer
  std::int32_t columns = 1;
  std::uint32_t pixel_bytes = 0;
  range operands{};  ///< the operands that are not constants, a range in `row_graph::operands`

  constexpr auto row_bytes() const -> std::uint32_t { return pixel_bytes * static_cast<std::uint32_t>(columns); }
};

/// The row-wise view of the root graph, with nodes in schedule order.
struct row_graph {
  vector<row_node> nodes;
  vector<row_operand> operands;

  constexpr auto operands_of(const row_node& node) const -> span<const row_operand> {
    return span<const row_operand>{operands}.subspan(node.operands.first, node.operands.size);
  }
  constexpr auto operands_of(std::uint32_t n) const -> span<const row_operand> { return operands_of(nodes[n]); }
};

/// The demand for the rows of one operand, before the next step of a node: how many rows the step needs, and how many the producer may
/// compute.
struct row_demand {
  std::int32_t needed = 0;  ///< the first `needed` rows must be computed
  std::int32_t max = 0;     ///< only the first `max` rows may be computed
};
/// Returns the demand for an operand with `rows` rows. The next step of the node computes at most `rows_per_step` output rows, and row
/// `end` - 1 is the last of them. The producer may compute more than the needed rows only if one of its steps computes more rows than a
/// step of the node consumes. Otherwise, the producer computes only the needed rows, so that no memory is used for rows that were computed
/// too early.
constexpr auto demand_of(const row_window::axis& window, std::int32_t end, std::int32_t rows_per_step, std::int32_t rows,
                         std::int32_t producer_rows_per_step) -> row_demand {
  const auto needed = window.end(end - 1, rows);
  return {needed, rows_per_step * window.stride >= producer_rows_per_step * window.divisor ? needed : rows};
}

/// The part of a node's output that a segment (consecutive nodes that run row by row, see `stream_segment`) keeps in memory: the newest
/// rows of the output. Before the next rows are computed, the kept rows are moved to lower addresses.
struct kept_rows {
  std::int32_t rows = 0;     ///< the number of kept rows; 0 for the last node, because its whole output is stored outside the memory of the
                             ///< segment
  std::int32_t pixels = 0;   ///< the number of kept pixels, if the node and its only user are computed pixel by pixel; 0 means whole rows
  std::uint32_t offset = 0;  ///< offset of the kept rows, pixels or sums in the memory of the segment, in bytes
  /// Whether the kept rows begin in the memory of the newest output row of their user, the only node that reads them. If so, one step of
  /// this node computes all its kept rows.
  bool in_user = false;
  /// Whether all rows are stored in the output of the segment's last node. The last node is the only user of these rows, and replaces each
  /// row with one of its own output rows.
  bool in_output = false;
  bool by_single_rows = false;  ///< whether a step computes one row, although `row_node::rows_per_step` is larger

  /// Returns the number of rows that a step of `node` computes.
  constexpr auto rows_per_step(const row_node& node) const -> std::int32_t { return by_single_rows ? 1 : node.rows_per_step; }
  /// Returns the size of the scratch of `node`, in bytes.
  constexpr auto scratch_bytes(const row_node& node) const -> std::uint32_t {
    return by_single_rows ? node.single_row_scratch_bytes : node.scratch_bytes;
  }
};

}  // namespace baton
