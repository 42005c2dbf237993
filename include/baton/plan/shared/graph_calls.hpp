// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which graphs of a program run, and which nodes call them.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/order.hpp>
#include <baton/operators/shared/control_flow.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// The graphs that run with a program: the root, the subgraphs of control-flow nodes, and the originals of those delegates whose backend
/// has them run (`runs_original`). `run` calls them in order.
struct graph_calls {
  vector<graph_id> order;        ///< those that run, callers before what they call; the root first
  vector<std::uint32_t> counts;  ///< by graph: how many places call it; 0: it does not run, or is the root
  vector<node_id> caller;        ///< by graph: a node that calls it, `none` of the root
  vector<graph_id> outer;        ///< by graph: the graph of that node
  vector<char> runs_original;    ///< by delegate: whether its original graph runs in its place; empty: none does

  /// Whether one node alone calls the graph, so that what lies around that place is known to it.
  constexpr auto has_one_caller(graph_id id) const -> bool { return counts[index(id)] == 1; }
  constexpr auto runs(graph_id id) const -> bool { return index(id) == 0 || counts[index(id)] != 0; }
};

/// The graphs that a node runs: the subgraphs of control flow, the original of a delegate that is in the list. Views the program and the
/// list.
constexpr auto graphs_run_by(const program_view& program, const node& record, span<const char> runs_original) -> span<const graph_id> {
  if (record.subgraphs.size != 0 && control_flow_of(record) != control_flow::none) return program.subgraphs_of(record);
  if (record.delegate == none<delegate_id> || runs_original.empty() || runs_original[index(record.delegate)] == 0) return {};
  return {&program.delegates[index(record.delegate)].original, 1};
}

namespace detail {

class graph_call_scan {
 public:
  constexpr graph_call_scan(const program_view& program, vector<char> runs_original) : program_(program) {
    calls_.counts.assign(program.graphs.size(), 0);
    calls_.caller.assign(program.graphs.size(), none<node_id>);
    calls_.outer.assign(program.graphs.size(), none<graph_id>);
    calls_.runs_original = std::move(runs_original);
  }

  constexpr auto run() -> result<graph_calls> {
    if (program_.graphs.empty()) return std::move(calls_);
    const auto reached = reach();
    for (const auto g : topological_order({uses_, program_.graphs.size()})) {
      if (calls_.runs(static_cast<graph_id>(g))) calls_.order.push_back(static_cast<graph_id>(g));
    }
    if (calls_.order.size() != reached || calls_.counts[0] != 0) return broken<"recursive_graph">();
    return std::move(calls_);
  }

 private:
  /// Notes the calls of all graphs that can be reached from the root; how many those are.
  constexpr auto reach() -> std::size_t {
    vector<graph_id> found{graph_id{0}};
    for (std::size_t at = 0; at < found.size(); ++at) {
      const auto outer = found[at];
      const auto nodes = program_[outer].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        for (const auto inner : graphs_run_by(program_, program_.nodes[n], calls_.runs_original)) {
          if (calls_.counts[index(inner)]++ == 0 && index(inner) != 0) found.push_back(inner);
          calls_.caller[index(inner)] = static_cast<node_id>(n);
          calls_.outer[index(inner)] = outer;
          uses_.emplace_back(index(outer), index(inner));
        }
      }
    }
    return found.size();
  }

  program_view program_;
  graph_calls calls_;
  vector<edge> uses_;  ///< a graph, and one that it calls
};

}  // namespace detail

/// The graphs that run with a program; `runs_original` names, by delegate, those whose original graph runs in their place (empty: none).
/// Linear in the nodes that run. Errors: `recursive_graph`.
constexpr auto graphs_that_run(const program_view& program, vector<char> runs_original = {}) -> result<graph_calls> {
  return detail::graph_call_scan(program, std::move(runs_original)).run();
}

}  // namespace baton
