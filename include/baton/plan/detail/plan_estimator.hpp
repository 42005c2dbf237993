// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Estimates the instructions of a plan: of one inference, and of the longest slice (the work of one call of `step`, see `in_slices`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/plan/detail/node_cut.hpp>
#include <baton/plan/detail/node_forms.hpp>
#include <baton/plan/detail/uneven_rows.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/limits.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The numbers of slices of a node: `planned` in the plan, and `max` if the slices are as short as possible. The shortest slice is one step
/// of rows (one call of `compute_rows`), or one chunk (a small part of the output, see `kernel_facts::chunks`). Both numbers are 0 if the
/// node does not run, is in a called graph, or is in a segment (consecutive nodes that run row by row, see `stream_segment`).
struct node_slices {
  std::uint32_t planned = 0;
  std::uint32_t max = 0;
};

/// The numbers of a plan that a search within limits compares.
struct plan_needs {
  limited_plan::needs needs{};  ///< the estimator does not set `flash_bytes`
  /// The instructions of the longest slice if each node is cut into the shortest possible slices.
  std::uint64_t min_slice_instructions = 0;
  std::uint32_t min_slice_node = npos;  ///< the node with the slice of `min_slice_instructions`; `npos` if no slice costs anything
};

/// The estimate of a plan.
struct plan_estimate : plan_needs {
  vector<node_slices> slices;  ///< indexed by node
};

/// Adds up the costs of the nodes of a plan. Each node that runs counts once, even if it is in a loop. Delegates count as 0 instructions.
/// If possible, nodes outside of segments are cut so that their slices cost at most `max_slice` instructions and have at most
/// `max_operations` operations.
class plan_estimator {
 public:
  constexpr plan_estimator(const program_view& program, span<const node_forms> nodes, span<const std::uint8_t> forms,
                           const execution_plan& plan, std::uint64_t max_slice, std::uint64_t max_operations = limits::none)
      : program_(program),
        nodes_(nodes),
        forms_(forms),
        plan_(plan),
        max_slice_(max_slice),
        max_operations_(max_operations) {}

  constexpr auto run() -> plan_estimate {
    result_.needs.arena_bytes = plan_.memory.arena_bytes;
    result_.slices.resize(nodes_.size());
    if (program_.graphs.empty()) return std::move(result_);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) result_.needs.instructions += cost_of(n).instructions;
    const auto& steps = plan_.memory.steps;
    for (const auto& step : steps.steps_of(graph_id{0})) {
      if (step.kind == step_kind::rows) {
        add_segment(*plan_.memory.streams.segment_of(step.nodes.first));
      } else if (step.kind == step_kind::kernel) {
        add_node(index(steps.nodes[step.nodes.first]));
      } else {
        const auto n = index(steps.nodes[step.nodes.first]);
        const auto whole = with_called_graphs(n);
        add_slice(n, whole, whole);
        result_.slices[n] = {1, 1};
      }
    }
    return std::move(result_);
  }

 private:
  /// Returns the form of node `n` in the plan. Call this function only for a node that has forms.
  constexpr auto form_of(std::uint32_t n) const -> const node_form& { return nodes_[n][forms_[n]]; }
  /// Returns the cost of a node, or a cost of 0 if the node has no forms.
  constexpr auto cost_of(std::uint32_t n) const -> node_cost { return nodes_[n].count == 0 ? node_cost{} : form_of(n).cost; }
  constexpr auto with_called_graphs(std::uint32_t n) const -> std::uint64_t {
    const auto cost = cost_of(n);
    auto sum = cost.bound(cost.instructions);
    for (const auto inner : graphs_run_by(program_, program_.nodes[n], plan_.calls.runs_original)) {
      const auto nodes = program_[inner].nodes;
      for (auto each = nodes.first; each < nodes.first + nodes.size; ++each) sum += with_called_graphs(each);
    }
    return sum;
  }

  /// Updates the longest slice with a slice of node `n`. `min_instructions` is the cost of the slice if the node is cut into the shortest
  /// possible slices.
  constexpr void add_slice(std::uint32_t n, std::uint64_t instructions, std::uint64_t min_instructions) {
    result_.needs.slice_instructions = std::max(result_.needs.slice_instructions, instructions);
    if (min_instructions <= result_.min_slice_instructions) return;
    result_.min_slice_instructions = min_instructions;
    result_.min_slice_node = n;
  }
  constexpr void add_node(std::uint32_t n) {
    result_.slices[n] = {1, 1};
    const auto& form = form_of(n);
    // A node that copies nothing adds no cost to a slice. Nevertheless, `needs.instructions` includes the cost of the node. The search
    // compares `needs.instructions` with the instructions of a candidate, which are independent of the plan.
    if (is_view(program_, program_.nodes[n], form.kernel.facts, plan_.locations)) return;
    const auto costs = cut_costs::of(form.cost);
    auto cut = node_cut_of(program_, program_.nodes[n], form.kernel.facts, plan_.locations, plan_.memory.order_of(n));
    auto min_cut = cut;
    cut.limit_to(max_slice_, costs);
    min_cut.limit_to(0, costs);
    if (max_operations_ != limits::none) {
      const auto operations = operations_of(program_, program_.nodes[n]);
      cut.limit_operations_to(max_operations_, operations);
      min_cut = cut;
      min_cut.limit_operations_to(0, operations);
    }
    result_.needs.instructions += cut.added_cost(costs);
    result_.slices[n] = {static_cast<std::uint32_t>(cut.slices()), static_cast<std::uint32_t>(min_cut.slices())};
    add_slice(n, cut.slice_cost(costs), min_cut.slice_cost(costs));
  }
  /// Adds the slices of a segment, the additional costs of its rows, and the additional costs of steps that compute a single row. A slice
  /// of a segment is one step of a node, together with all producers that are computed pixel by pixel with this node (`kept_rows::pixels`).
  constexpr void add_segment(const stream_segment& segment) {
    const auto& streams = plan_.memory.streams;
    const auto kept = streams.kept_of(segment);
    vector<std::uint64_t> slices;
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      const auto n = index(plan_.memory.steps.nodes[segment.first + i]);
      const auto& node = streams.graph.nodes[segment.first + i];
      const auto& cost = form_of(n).cost;
      const auto per_row = cost.instructions_per_row;
      const auto by_single_rows = kept[i].by_single_rows ? cost.single_row_instructions : 0;
      const auto rows = static_cast<std::uint64_t>(node.rows);
      const auto step = static_cast<std::uint64_t>(kept[i].rows_per_step(node));
      const auto uneven_percent = uneven_rows_percent(program_, program_.nodes[n], form_of(n).kernel.facts);
      const auto whole = cost.bound(cost.instructions + by_single_rows);
      result_.needs.instructions += per_row * rows + by_single_rows;
      slices.push_back(largest_share(whole, step, rows, uneven_percent) + per_row * step);
      for (const auto& operand : streams.graph.operands_of(node)) {
        const auto from = operand.producer - segment.first;
        if (from < i && kept[from].pixels != 0) slices[i] += slices[from];
      }
      add_slice(n, slices[i], slices[i]);
    }
  }

  const program_view& program_;
  span<const node_forms> nodes_;
  span<const std::uint8_t> forms_;
  const execution_plan& plan_;
  std::uint64_t max_slice_;
  std::uint64_t max_operations_;
  plan_estimate result_;
};

}  // namespace baton::detail
