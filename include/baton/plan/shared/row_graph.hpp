// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The root graph by rows: which nodes compute rows alone, and from which rows of their operands.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/row_window.hpp>

#include <cstdint>

namespace baton {

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

/// The root graph by rows; nodes stand in the order of the schedule.
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
constexpr auto demand_of(const row_window::axis& window, std::int32_t last, std::int32_t rows_at_once, std::int32_t rows,
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

}  // namespace baton
