// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Builds the row-wise view of the root graph: the nodes that kernels can compute row by row, and their operands.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/plan/detail/kernel_choices.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/row_operands.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace baton::detail {

/// Returns `row_operand::row_distance` of an operand with `rows` rows of `row_bytes` bytes. `declared` is the minimum distance between the
/// whole output and the whole operand (see `min_distance`), for ascending writes. Let d be `row_bytes` minus `to.row_bytes()`. At the
/// distance `declared`, operand row r begins `declared` + r · d bytes after output row r. Each of these distances is sufficient for its
/// row, so the largest of them is sufficient for all rows. The result is this distance, but at least 0. Returns `disjoint` in each of these
/// cases:
/// - `declared` is `disjoint`, or the result would be at least the size of an output row.
/// - Output row r depends on an operand row other than row r.
/// - The operand and the output have different numbers of rows.
/// - A step of the node (one call of `compute_rows`) computes several rows.
constexpr auto row_distance_of(std::int64_t declared, const row_window::axis& window, std::int32_t rows, std::uint32_t row_bytes,
                               const row_node& to) -> std::int64_t {
  const bool is_one_to_one = window == row_window::axis{} && rows == to.rows && to.rows_per_step == 1;
  if (declared == min_distance::disjoint || !is_one_to_one) return min_distance::disjoint;
  const auto shrinkage = (to.rows - 1) * (std::int64_t{row_bytes} - to.row_bytes());
  const auto distance = std::max<std::int64_t>(0, declared + std::max<std::int64_t>(0, shrinkage));
  return distance < to.row_bytes() ? distance : min_distance::disjoint;
}

class row_graph_builder {
 public:
  constexpr row_graph_builder(const program_view& program, span<const bool> has_pixels, span<const chosen_kernel> chosen,
                              const schedule& order)
      : program_(program),
        order_(order),
        has_pixels_(has_pixels),
        chosen_(chosen),
        producers_(program.values.size(), npos) {}

  constexpr auto run() -> row_graph {
    for (std::uint32_t n = 0; n < program_.root().nodes.size; ++n) {
      const auto at = order_.nodes[n];
      add(index(at));
      for (const auto output : program_.outputs_of(program_[at])) producers_[index(output)] = n;
    }
    return std::move(graph_);
  }

 private:
  constexpr void add(std::uint32_t at) {
    const auto& record = program_.nodes[at];
    row_node result;
    result.operands.first = static_cast<std::uint32_t>(graph_.operands.size());
    if (chosen_[at].index < has_pixels_.size() && record.outputs.size == 1) result.has_rows = describe(result, record, chosen_[at]);
    if (!result.has_rows) graph_.operands.resize(result.operands.first);
    result.operands.size = static_cast<std::uint32_t>(graph_.operands.size()) - result.operands.first;
    graph_.nodes.push_back(result);
  }

  constexpr auto describe(row_node& result, const node& record, const chosen_kernel& kernel) -> bool {
    result.output = program_.outputs_of(record)[0];
    const auto image = image_of(program_, result.output);
    result.rows = image.rows;
    result.columns = image.columns;
    result.pixel_bytes = image.pixel_bytes;
    result.scratch_bytes = kernel.facts.row_scratch_bytes();
    result.rows_per_step = std::clamp<std::int32_t>(kernel.facts.rows_per_step, 1, result.rows);
    if (result.rows_per_step != 1) result.single_row_scratch_bytes = kernel.facts.single_row_scratch_bytes;
    result.has_pixels = has_pixels_[kernel.index] && result.rows_per_step == 1;
    const auto add = [&](value_id input, const image_facts& from, const kernel_facts::operand_facts& operand) {
      const auto row_bytes = from.pixel_bytes * static_cast<std::uint32_t>(from.columns);
      const auto row_distance = row_distance_of(operand.distance.ascending, operand.window.rows, from.rows, row_bytes, result);
      graph_.operands.push_back({input, producers_[index(input)], from.rows, row_bytes, operand.window, row_distance});
    };
    if (!visit_row_operands(program_, record, kernel.facts, add)) return false;
    if (result.rows == 1 && graph_.operands.size() - result.operands.first == 1) result.sum_bytes = kernel.facts.sum_bytes;
    return true;
  }

  program_view program_;
  const schedule& order_;
  span<const bool> has_pixels_;  ///< indexed by kernel in the list: whether the kernel can compute single pixels
  span<const chosen_kernel> chosen_;
  vector<std::uint32_t> producers_;  ///< indexed by value: the position of its producer in the schedule; `npos` if there is none yet
  row_graph graph_;
};

/// Returns the row-wise view of the root graph, with nodes in schedule order.
template <class... Kernels>
constexpr auto rows_of_kernels(kernel_list<Kernels...>, const program_view& program, span<const chosen_kernel> chosen,
                               const schedule& order) -> row_graph {
  constexpr std::array<bool, sizeof...(Kernels)> has_pixels{pixel_kernel<Kernels>...};
  return row_graph_builder(program, {has_pixels.data(), has_pixels.size()}, chosen, order).run();
}

}  // namespace baton::detail
