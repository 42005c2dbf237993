// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Graphs with state that several nodes call: lowering would copy the state, or change the order in which it is written.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/part_rules.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// Looks for a mutable buffer in a graph that is called from several places, or within such a graph.
class shared_state_check {
  // Templates first: Clang evaluates only those that stand before their use.
  template <class F>
  constexpr void for_each_called(const node& record, F f) const {
    for (const auto id : program_.subgraphs_of(record)) f(id);
    if (record.delegate != none<delegate_id>) f(program_[record.delegate].original);
  }

 public:
  constexpr explicit shared_state_check(const program_view& program)
      : program_(program),
        caller_(program.graphs.size(), none<node_id>),
        shared_(program.graphs.size(), none<graph_id>) {}

  constexpr auto run() -> failure {
    for (std::uint32_t n = 0; n < program_.nodes.size(); ++n) {
      for_each_called(program_.nodes[n], [&](graph_id id) { note_call(id, static_cast<node_id>(n)); });
    }
    spread();
    if (open_.empty()) return {};
    return first_state();
  }

 private:
  constexpr void note_call(graph_id id, node_id by) {
    if (caller_[index(id)] != none<node_id> && shared_[index(id)] == none<graph_id>) {
      shared_[index(id)] = id;
      open_.push_back(id);
    }
    caller_[index(id)] = by;
  }

  // What lies in a shared graph is shared.
  constexpr void spread() {
    for (std::size_t at = 0; at < open_.size(); ++at) {
      const auto outer = open_[at];
      for (const auto& record : program_.nodes_of(program_[outer])) {
        for_each_called(record, [&](graph_id inner) {
          if (shared_[index(inner)] != none<graph_id>) return;
          shared_[index(inner)] = shared_[index(outer)];
          open_.push_back(inner);
        });
      }
    }
  }

  constexpr auto first_state() const -> failure {
    for (const auto& record : program_.values) {
      const auto by = shared_[index(record.graph)];
      if (record.kind != value_kind::mutable_buffer || by == none<graph_id>) continue;
      return broken_at<rule::shared_state>(program_, caller_[index(by)], "buffer ", program_.text(record.name), " of graph ",
                                           program_.text(program_[by].name));
    }
    return {};
  }

  program_view program_;
  vector<node_id> caller_;   ///< by graph: its last caller
  vector<graph_id> shared_;  ///< by graph: the graph of several callers that it is, or lies in
  vector<graph_id> open_;
};

}  // namespace detail

/// Checks that no graph with a mutable buffer in it is called from several places. The calls would have an order that no value tells, and a
/// part would take a copy of the buffer along. Errors: `shared_state`.
constexpr auto check_shared_states(const program_view& program) -> failure {
  if (program.graphs.size() == 1) return {};
  return detail::shared_state_check(program).run();
}

}  // namespace baton
