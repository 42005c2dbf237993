// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A check of states that several graphs of a program use.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/state_order.hpp>

#include <algorithm>
#include <string_view>

namespace baton {

namespace detail {

/// A check of one state that several graphs use.
class state_check {
 public:
  constexpr state_check(const program_view& program, const state_buffers& state)
      : program_(program),
        state_(state),
        name_(program.text(program[state[0]].target)),
        writes_(program.graphs.size(), 0) {}

  constexpr auto run() -> failure {
    for (const auto id : state_) {
      if (!state_difference(program_, state_[0], program_, id).empty()) {
        return broken<"disagreeing_state">("state ", name_, " of graphs ", graph_name(state_[0]), " and ", graph_name(id));
      }
    }
    for (const auto id : state_) note_writer(id);
    for (const auto id : state_) {
      if (auto why = check_uses(id)) return why;
    }
    return {};
  }

 private:
  constexpr auto graph_name(value_id id) const -> std::string_view { return program_.text(program_[program_[id].graph].name); }

  constexpr void note_writer(value_id state) {
    const auto id = program_[state].graph;
    for (const auto& record : program_.nodes_of(program_[id])) {
      if (writes_state(program_, record, state)) writes_[index(id)] = 1;
    }
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (spec.kind == output_kind::buffer_mutation && program_.text(spec.target) == name_) writes_[index(id)] = 1;
    }
  }
  constexpr auto calls_a_writer(const node& record) const -> bool {
    for (const auto called : program_.subgraphs_of(record)) {
      for (const auto inner : nested_graphs(program_, called)) {
        if (writes_[index(inner)] != 0) return true;
      }
    }
    return false;
  }
  /// Checks that no node and no output of the graph uses the mutable buffer `id` in or after a call that may write the state. A mutable
  /// buffer has the value that the state had when the buffer's graph was called, so such a use would read the old value.
  constexpr auto check_uses(value_id id) const -> failure {
    const auto& graph = program_[program_[id].graph];
    auto writer = none<node_id>;
    for (auto n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
      if (writer == none<node_id> && calls_a_writer(program_.nodes[n])) writer = static_cast<node_id>(n);
      if (writer == none<node_id>) continue;
      const auto operands = program_.inputs(program_.nodes[n]);
      if (std::find(operands.begin(), operands.end(), id) != operands.end()) return stale(static_cast<node_id>(n), writer);
    }
    if (writer == none<node_id>) return {};
    const auto outputs = program_.outputs_of(graph);
    const bool is_returned = std::any_of(outputs.begin(), outputs.end(), [id](const output_spec& spec) { return spec.value == id; });
    if (is_returned) return stale(writer, writer);
    return {};
  }
  constexpr auto stale(node_id user, node_id writer) const -> failure {
    return broken_at<"stale_state">(program_, user, "state ", name_, ", which ", program_.text(program_.nodes[index(writer)].name),
                                    " writes");
  }

  program_view program_;
  const state_buffers& state_;
  std::string_view name_;
  vector<char> writes_;  ///< indexed by graph: 1 if the graph writes the state
};

}  // namespace detail

/// Checks the states that several graphs use, in a program with well-formed graphs. Fails with `disagreeing_state` if the graphs disagree
/// on the type or the initial data of a state. Fails with `stale_state` if a graph uses the old value of a state in or after a call that
/// may write the state.
constexpr auto verify_states(const program_view& program) -> failure {
  for (const auto& state : states_of_several_graphs(program)) {
    if (auto why = detail::state_check(program, state).run()) return why;
  }
  return {};
}

}  // namespace baton
