// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks states (buffers that keep their values from run to run) that several graphs use. Lowering must not split such a state, and must
// not change the order in which the state is read and written.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A check of one state that several graphs use.
class split_state_check {
 public:
  constexpr split_state_check(const program_view& program, const state_buffers& state)
      : program_(program),
        state_(state),
        has_buffer_(program.graphs.size(), 0),
        users_(program.graphs.size(), 0) {
    for (const auto id : state) {
      has_buffer_[index(program[id].graph)] = 1;
      users_[index(program[id].graph)] = 1;
    }
  }

  constexpr auto run() -> failure {
    for (const auto id : state_) {
      if (!has_spec(program_, program_[id].tag)) continue;
      return with_tag_of(split_failure(), program_, program_[id].tag);
    }
    for (const auto& graph : program_.graphs) {
      for (auto n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
        const auto& record = program_.nodes[n];
        const auto contained = buffers_in_subgraphs(record);
        if (contained == 0) continue;
        const bool is_partly_contained = has_spec(program_, record.tag) && contained != state_.size();
        auto& users = users_[static_cast<std::size_t>(&graph - program_.graphs.data())];
        if (is_partly_contained || ++users > 1) return locate(split_failure(), program_, static_cast<node_id>(n));
      }
    }
    return {};
  }

 private:
  constexpr auto buffers_in_subgraphs(const node& record) const -> std::size_t {
    std::size_t count = 0;
    vector<char> seen(record.subgraphs.size == 0 ? 0 : program_.graphs.size(), 0);
    for (const auto called : program_.subgraphs_of(record)) {
      for (const auto inner : nested_graphs(program_, called)) {
        if (seen[index(inner)] == 0 && has_buffer_[index(inner)] != 0) ++count;
        seen[index(inner)] = 1;
      }
    }
    return count;
  }
  constexpr auto split_failure() const -> failure { return broken<"split_state">("state ", program_.text(program_[state_[0]].target)); }

  program_view program_;
  const state_buffers& state_;
  vector<char> has_buffer_;      ///< indexed by graph: whether the graph has a placeholder of the state
  vector<std::uint32_t> users_;  ///< indexed by graph: the number of users of the state in the graph (see `check_split_states`)
};

/// For a program with parts (the nodes of a graph that become one delegate), checks each state that several graphs use. In each graph, the
/// state must have at most one user: the graph itself, or one node whose subgraphs use the state. The subgraphs of a node in a part must
/// contain all graphs that use the state, or none of them. Without these two conditions, lowering could split the state or change the order
/// of its uses. Fails with `split_state` if a part owns the state, or if one of these two conditions does not hold.
constexpr auto check_split_states(const program_view& program) -> failure {
  for (const auto& state : states_of_several_graphs(program)) {
    if (auto why = split_state_check(program, state).run()) return why;
  }
  return {};
}

}  // namespace baton::detail
