// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Estimates the instructions of a plan: of one inference, and of its longest slice.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/node_forms.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/limits.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Adds up the costs of the nodes of a plan. Each node that runs counts once, also in a loop. Delegates count as 0.
class plan_estimator {
 public:
  constexpr plan_estimator(const program_view& program, span<const node_forms> nodes, span<const std::uint8_t> forms,
                           const execution_plan& plan)
      : program_(program),
        nodes_(nodes),
        forms_(forms),
        plan_(plan) {}

  /// Returns the estimate, without `flash_bytes`.
  constexpr auto run() -> limited_plan::needs {
    limited_plan::needs result;
    result.arena_bytes = plan_.memory.arena_bytes;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) result.instructions += instructions(n);
    const auto& steps = plan_.memory.steps;
    for (const auto& step : steps.steps_of(graph_id{0})) {
      std::uint64_t slice = 0;
      if (step.kind == step_kind::rows) {
        slice = slice_of_segment(*plan_.memory.streams.segment_of(step.nodes.first), result.instructions);
      } else if (step.kind != step_kind::copy) {
        slice = with_called_graphs(index(steps.nodes[step.nodes.first]));
      }
      result.slice_instructions = std::max(result.slice_instructions, slice);
    }
    return result;
  }

 private:
  constexpr auto instructions(std::uint32_t n) const -> std::uint64_t {
    const bool has_form = nodes_[n].count != 0 && plan_.kernels[n] == nodes_[n][forms_[n]].kernel.index;
    return has_form ? nodes_[n][forms_[n]].cost.instructions : 0;
  }
  constexpr auto with_called_graphs(std::uint32_t n) const -> std::uint64_t {
    auto sum = instructions(n);
    for (const auto inner : graphs_run_by(program_, program_.nodes[n], plan_.calls.runs_original)) {
      const auto nodes = program_[inner].nodes;
      for (auto each = nodes.first; each < nodes.first + nodes.size; ++each) sum += with_called_graphs(each);
    }
    return sum;
  }

  /// Returns the longest slice of a segment. The slice of a node is one step of the node and of all producers that are computed pixel
  /// by pixel with it (`kept_rows::pixels`). Adds the additional cost of all rows to `total`.
  constexpr auto slice_of_segment(const stream_segment& segment, std::uint64_t& total) const -> std::uint64_t {
    const auto& streams = plan_.memory.streams;
    const auto kept = streams.kept_of(segment);
    vector<std::uint64_t> slices;
    std::uint64_t longest = 0;
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      const auto n = index(plan_.memory.steps.nodes[segment.first + i]);
      const auto& node = streams.graph.nodes[segment.first + i];
      const auto per_row = nodes_[n].count == 0 ? 0 : nodes_[n][forms_[n]].cost.instructions_per_row;
      const auto rows = static_cast<std::uint64_t>(node.rows);
      const auto step = static_cast<std::uint64_t>(node.rows_per_step);
      total += per_row * rows;
      slices.push_back((instructions(n) + rows - 1) / rows * step + per_row * step);
      for (const auto& operand : streams.graph.operands_of(node)) {
        const auto from = operand.producer - segment.first;
        if (operand.producer != npos && from < i && kept[from].pixels != 0) slices[i] += slices[from];
      }
      longest = std::max(longest, slices[i]);
    }
    return longest;
  }

  const program_view& program_;
  span<const node_forms> nodes_;
  span<const std::uint8_t> forms_;
  const execution_plan& plan_;
};

}  // namespace baton::detail
