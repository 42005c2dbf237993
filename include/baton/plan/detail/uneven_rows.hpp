// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The excess cost of the most expensive row of a node over the average row. Rows differ in cost if the windows of some rows extend into the
// padding. The window of a row consists of the operand rows on which the row depends (see `row_window`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/plan/shared/row_graph.hpp>
#include <baton/plan/shared/row_operands.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::detail {

/// Returns the percentage by which the cost of the most expensive output row exceeds the cost of the average row, rounded up. The cost of a
/// row is assumed to be proportional to the operand rows in its window. Rows whose window is a single operand row cost the same. Requires
/// that a kernel with the facts `facts` can compute the node row by row.
constexpr auto uneven_rows_percent(const program_view& program, const node& record, const kernel_facts& facts) -> std::uint32_t {
  const std::int64_t rows = image_of(program, program.outputs_of(record)[0]).rows;
  std::int64_t percent = 0;
  visit_row_operands(program, record, facts, [&](value_id, const image_facts& image, const kernel_facts::operand_facts& operand) {
    const auto& window = operand.window.rows;
    if (window.span <= 1) return;
    std::int64_t sum = 0;
    std::int64_t max_taps = 0;
    for (std::int32_t row = 0; row < rows; ++row) {
      const std::int64_t taps = std::max<std::int32_t>(0, window.end(row, image.rows) - window.first(row));
      sum += taps;
      max_taps = std::max(max_taps, taps);
    }
    if (sum != 0) percent = std::max(percent, (100 * max_taps * rows + sum - 1) / sum - 100);
  });
  return static_cast<std::uint32_t>(percent);
}

}  // namespace baton::detail
