// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The open sizes of values that enter and leave the bodies of loops.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/open_values.hpp>
#include <baton/operators/shared/control_flow.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A pass that resolves the open sizes of loops. An open size is a size that the file does not state; the program has the number 1 in its
/// place. The pass handles the outputs of a loop, the inputs of its two subgraphs (condition and body), and the outputs of its body. Their
/// open sizes become the sizes of the loop's operands. For example, a file with the loop of a `tf.map_fn` states only the sizes of the
/// loop's operands. The program need not pass `verify` before this pass: `verify` treats the number 1 as a stated size, and would report
/// that the loop changes the types of its values.
class loop_sizes {
 public:
  constexpr loop_sizes(exported_program& program, const vector<open_shape>& shapes)
      : view_(program),
        open_(program, shapes),
        is_reached_(program.graphs.size(), 0) {}

  constexpr void copy() {
    reach(graph_id{0});
    // Each graph is visited after its first caller, so that an outer loop determines the sizes in an inner loop.
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      for (const auto& record : view_.nodes_of(view_[reached_[i]])) visit(record);
    }
  }

 private:
  constexpr void reach(graph_id graph) {
    if (is_reached_[index(graph)] != 0) return;
    is_reached_[index(graph)] = 1;
    reached_.push_back(graph);
  }

  constexpr void visit(const node& record) {
    const auto graphs = view_.subgraphs_of(record);
    if (graphs.empty()) return;
    const auto operands = view_.inputs(record), results = view_.outputs_of(record);
    const bool is_loop = control_flow_of(view_, record) == control_flow::while_loop && graphs.size() == 2;
    for (const auto graph : graphs) {
      if (is_loop && is_reached_[index(graph)] == 0) open_.copy_sizes_to_inputs(operands, graph);
      reach(graph);
    }
    if (!is_loop) return;
    std::size_t position = 0;
    for (const auto& spec : view_.outputs_of(view_[graphs[1]])) {
      if (position < operands.size()) open_.copy_sizes(operands[position++], spec.value);
    }
    for (std::size_t i = 0; i < results.size() && i < operands.size(); ++i) open_.copy_sizes(operands[i], results[i]);
  }

  program_view view_;
  open_values open_;
  vector<char> is_reached_;   ///< indexed by graph
  vector<graph_id> reached_;  ///< graphs in the order in which they are first called
};

}  // namespace baton::detail
