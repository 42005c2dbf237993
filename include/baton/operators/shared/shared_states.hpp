// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A check that each graph with state has only one caller. The order of calls from several callers would be undefined, and lowering would
// copy the state.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// A search for a mutable buffer in a graph that has several callers, or in a graph that is nested in such a graph. A graph is nested in
/// another graph if nodes of the other graph call it, directly or through more graphs.
template <class CalleesOf>
class shared_state_check {
 public:
  constexpr shared_state_check(const program_view& program, span<const graph_id> callers, CalleesOf callees_of)
      : program_(program),
        callers_(callers),
        callees_of_(callees_of),
        caller_(program.graphs.size(), none<node_id>),
        shared_(program.graphs.size(), none<graph_id>) {}

  constexpr auto run() -> failure {
    for (const auto id : callers_) {
      const auto nodes = program_[id].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        for (const auto called : callees_of_(program_.nodes[n])) note_call(called, static_cast<node_id>(n));
      }
    }
    mark_nested();
    if (discovered_.empty()) return {};
    return first_state();
  }

 private:
  constexpr void note_call(graph_id id, node_id caller) {
    if (caller_[index(id)] != none<node_id> && shared_[index(id)] == none<graph_id>) {
      shared_[index(id)] = id;
      discovered_.push_back(id);
    }
    caller_[index(id)] = caller;
  }

  // Marks the graphs that are nested in a shared graph as shared, too.
  constexpr void mark_nested() {
    for (std::size_t at = 0; at < discovered_.size(); ++at) {
      const auto outer = discovered_[at];
      for (const auto& record : program_.nodes_of(program_[outer])) {
        for (const auto inner : callees_of_(record)) {
          if (shared_[index(inner)] != none<graph_id>) continue;
          shared_[index(inner)] = shared_[index(outer)];
          discovered_.push_back(inner);
        }
      }
    }
  }

  constexpr auto first_state() const -> failure {
    for (const auto& record : program_.values) {
      const auto shared_graph = shared_[index(record.graph)];
      if (record.kind != value_kind::mutable_buffer || shared_graph == none<graph_id>) continue;
      return broken_at<"shared_state">(program_, caller_[index(shared_graph)], "buffer ", program_.text(record.name), " of graph ",
                                       program_.text(program_[shared_graph].name));
    }
    return {};
  }

  program_view program_;
  span<const graph_id> callers_;
  CalleesOf callees_of_;
  vector<node_id> caller_;       ///< indexed by graph: the last node that calls the graph
  vector<graph_id> shared_;      ///< indexed by graph: a graph with several callers that is this graph or encloses it, or `none`
  vector<graph_id> discovered_;  ///< the shared graphs, in order of discovery
};

}  // namespace detail

/// Checks each graph that is called by a node of a graph in `callers`. Fails with `shared_state` if a graph is called more than once, and
/// the graph or a graph nested in it has a mutable buffer. A node that calls a graph twice counts as two calls. `callees_of(node)` returns
/// the graphs that a node calls, as a span.
template <class CalleesOf>
constexpr auto check_shared_states(const program_view& program, span<const graph_id> callers, CalleesOf callees_of) -> failure {
  const auto is_state = [](const value& record) { return record.kind == value_kind::mutable_buffer; };
  if (program.graphs.size() == 1 || std::none_of(program.values.begin(), program.values.end(), is_state)) return {};
  return detail::shared_state_check(program, callers, callees_of).run();
}

/// Same as the overload above, for the calls from all graphs, including the original graphs of delegates. A shared state is an error,
/// because data dependencies do not determine the order of calls from several callers. Also, a delegated part would copy the buffer.
constexpr auto check_shared_states(const program_view& program) -> failure {
  vector<graph_id> all;
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) all.push_back(static_cast<graph_id>(g));
  return check_shared_states(program, all, [&program](const node& record) -> span<const graph_id> {
    if (record.delegate == none<delegate_id>) return program.subgraphs_of(record);
    return {&program.delegates[index(record.delegate)].original, 1};
  });
}

}  // namespace baton
