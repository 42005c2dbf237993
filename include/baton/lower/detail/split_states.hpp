// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// States that several graphs use: lowering would tear them apart, or change the order in which they are read and written.
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

/// Checks one state of several graphs.
class split_state_check {
 public:
  constexpr split_state_check(const program_view& program, const same_state& state)
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
      return with_tag_of(split(), program_, program_[id].tag);
    }
    for (const auto& graph : program_.graphs) {
      for (auto n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
        const auto& record = program_.nodes[n];
        const auto below = buffers_below(record);
        if (below == 0) continue;
        const bool is_taken = has_spec(program_, record.tag) && below != state_.size();
        auto& users = users_[static_cast<std::size_t>(&graph - program_.graphs.data())];
        if (is_taken || ++users > 1) return locate(split(), program_, static_cast<node_id>(n));
      }
    }
    return {};
  }

 private:
  constexpr auto buffers_below(const node& record) const -> std::size_t {
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
  constexpr auto split() const -> failure { return broken<"split_state">("state ", program_.text(program_[state_[0]].target)); }

  program_view program_;
  const same_state& state_;
  vector<char> has_buffer_;      ///< by graph
  vector<std::uint32_t> users_;  ///< by graph: the buffer, and nodes with graphs that use the state
};

/// Checks, of a program with parts, that each state that several graphs use stays one and is used in one order: in no graph is it used by
/// two nodes, or by a node and the graph itself, and a part takes all of the graphs that use it or none. Errors: `split_state`.
constexpr auto check_split_states(const program_view& program) -> failure {
  for (const auto& state : states_of_several_graphs(program)) {
    if (auto why = split_state_check(program, state).run()) return why;
  }
  return {};
}

}  // namespace baton::detail
