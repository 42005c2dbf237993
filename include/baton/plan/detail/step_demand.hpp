// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The demand of a node: the memory that is live while the node runs. The demand depends on the form of the node (one of the kernels that
// support the node, see `node_forms`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/node_forms.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/round_up.hpp>
#include <baton/plan/shared/row_graph.hpp>
#include <baton/plan/shared/row_operands.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The demand of each node: the estimated bytes that are live while the node runs. The estimate determines which candidates a search tries
/// (see `candidate_builder`). It does not decide whether a plan keeps a limit.
class step_demand {
 public:
  /// \param plan a plan of the program in which no output overlaps an operand. The plan may use any kernels, because the scratch of these
  /// kernels is subtracted.
  constexpr step_demand(const program_view& program, const execution_plan& plan) : program_(program), memory_(plan.memory) {
    bytes_.assign(program.nodes.size(), 0);
    for (const auto& graph : memory_.graphs) add_graph(graph);
  }

  /// Returns the demand of node `n`, in bytes, in a plan that uses `form` for this node and `policy` for the memory.
  constexpr auto operator()(std::uint32_t n, const node_form& form, const chosen_policy& policy) const -> std::int64_t {
    const auto& facts = form.kernel.facts;
    if (policy.find_segments != nullptr) {
      if (const auto rows = bytes_of_rows(n, facts); rows >= 0)
        return rows + static_cast<std::int64_t>(round_up(facts.row_scratch_bytes(), memory_.alignment));
    }
    const auto scratch = static_cast<std::int64_t>(round_up(facts.scratch_bytes, memory_.alignment));
    return bytes_[n] + scratch - (policy.ignores_distances ? 0 : saved_bytes(n, facts));
  }

  /// Returns the size in bytes of the scratch that `form` needs if node `n` is in a segment (consecutive nodes that run row by row, see
  /// `stream_segment`). Returns -1 if `policy` has no segments, or if the node cannot be computed row by row. The nodes of a segment share
  /// the memory of the largest scratch.
  constexpr auto scratch_in_segment(std::uint32_t n, const node_form& form, const chosen_policy& policy) const -> std::int64_t {
    const auto& facts = form.kernel.facts;
    if (policy.find_segments == nullptr || bytes_of_rows(n, facts) < 0) return -1;
    return static_cast<std::int64_t>(round_up(facts.row_scratch_bytes(), memory_.alignment));
  }

 private:
  /// Sets the bytes of each node of a graph: the live bytes in its step, without the scratch of its kernel.
  constexpr void add_graph(const memory_plan::graph_memory& graph) {
    const auto items = span<const lifetime>{memory_.needs.lifetimes}.subspan(graph.entries.first, graph.entries.size);
    vector<std::int64_t> live(steps_of(items) + 1, 0);
    for (const auto& item : items) {
      live[item.first] += static_cast<std::int64_t>(item.bytes);
      live[item.last + 1] -= static_cast<std::int64_t>(item.bytes);
    }
    for (std::size_t s = 1; s < live.size(); ++s) live[s] += live[s - 1];
    const auto nodes = program_[graph.graph].nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      const auto step = memory_.steps.step_of[n];
      if (step >= live.size()) continue;
      const auto scratch = memory_.needs.scratch_entries[n];
      bytes_[n] = live[step] - (scratch == npos ? 0 : static_cast<std::int64_t>(memory_.needs.lifetimes[scratch].bytes));
    }
  }

  /// Returns the maximum number of bytes that the output of a node saves by overlapping one operand of the node.
  constexpr auto saved_bytes(std::uint32_t n, const kernel_facts& facts) const -> std::int64_t {
    const auto& record = program_.nodes[n];
    if (record.outputs.size != 1) return 0;
    const auto* const output = item_of(program_.outputs_of(record)[0]);
    const auto step = memory_.steps.step_of[n];
    std::int64_t saved = 0;
    const auto inputs = program_.inputs(record);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto* const input = inputs[i] == none<value_id> ? nullptr : item_of(inputs[i]);
      if (input == nullptr || output == nullptr || input == output || input->last != step || output->first != step) continue;
      const auto& distance = facts.operand(i).distance;
      const auto in = static_cast<std::int64_t>(input->bytes);
      const auto out = static_cast<std::int64_t>(output->bytes);
      const auto pair_bytes = std::min(bytes_of_pair(in, out, distance.ascending, memory_.alignment),
                                       bytes_of_pair(in, out, distance.descending, memory_.alignment));
      saved = std::max(saved, in + out - pair_bytes);
    }
    return saved;
  }
  constexpr auto item_of(value_id id) const -> const lifetime* {
    const auto entry = memory_.needs.value_entries[index(id)];
    return entry == npos ? nullptr : &memory_.needs.lifetimes[entry];
  }

  /// Returns the total size of the operand rows that one call of `compute_rows` reads and the output rows that the call computes, in bytes.
  /// The call computes `rows_per_step` rows. Returns -1 if the node cannot be computed row by row.
  constexpr auto bytes_of_rows(std::uint32_t n, const kernel_facts& facts) const -> std::int64_t {
    const auto& record = program_.nodes[n];
    if (record.outputs.size != 1) return -1;
    const auto output = image_of(program_, program_.outputs_of(record)[0]);
    const std::int64_t rows = std::clamp<std::int32_t>(facts.rows_per_step, 1, output.rows);
    std::int64_t bytes = rows * output.columns * output.pixel_bytes;
    const auto add = [&](value_id, const image_facts& from, const kernel_facts::operand_facts& operand) {
      const auto& window = operand.window.rows;
      const auto read = (rows - 1) * window.stride / window.divisor + window.span;
      bytes += std::min<std::int64_t>(read, from.rows) * from.columns * from.pixel_bytes;
    };
    return visit_row_operands(program_, record, facts, add) ? bytes : -1;
  }

  const program_view& program_;
  const memory_plan& memory_;
  vector<std::int64_t> bytes_;  // indexed by node: see `add_graph`
};

}  // namespace baton::detail
