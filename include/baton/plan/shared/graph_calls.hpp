// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The graphs that a program runs, and the nodes that call them.
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

/// The graphs that a program runs: the root, the subgraphs of control-flow nodes, and the original graphs that run instead of delegates
/// (`runs_original`). The original graph of a delegate is the part before `preprocess`.
struct graph_calls {
  vector<graph_id> order;        ///< the graphs that run, callers before callees; the root is first
  vector<std::uint32_t> counts;  ///< indexed by graph: the number of its call sites; 0 for the root and for graphs that do not run
  vector<node_id> caller;        ///< indexed by graph: one of the nodes that call it; `none` if no node calls it
  vector<graph_id> outer;        ///< indexed by graph: the graph that contains `caller`
  /// Indexed by delegate: whether the delegate's original graph runs instead of the delegate; empty if no original graph runs.
  vector<char> runs_original;

  /// True if the graph has a single call site. Then its inputs and outputs may use the memory of the caller's operands and results.
  constexpr auto has_one_caller(graph_id id) const -> bool { return counts[index(id)] == 1; }
  constexpr auto runs(graph_id id) const -> bool { return index(id) == 0 || counts[index(id)] != 0; }
};

/// Returns the graphs that a node runs: the subgraphs of a control-flow node, or the original graph of a delegate that `runs_original`
/// marks. The result is a view into `program`.
constexpr auto graphs_run_by(const program_view& program, const node& record, span<const char> runs_original) -> span<const graph_id> {
  if (record.subgraphs.size != 0 && control_flow_of(program, record) != control_flow::none) return program.subgraphs_of(record);
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
  /// Records the calls of all graphs that are reachable from the root. Returns the number of these graphs.
  constexpr auto reach() -> std::size_t {
    vector<graph_id> graphs{graph_id{0}};
    for (std::size_t at = 0; at < graphs.size(); ++at) {
      const auto outer = graphs[at];
      const auto nodes = program_[outer].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        for (const auto inner : graphs_run_by(program_, program_.nodes[n], calls_.runs_original)) {
          if (calls_.counts[index(inner)]++ == 0 && index(inner) != 0) graphs.push_back(inner);
          calls_.caller[index(inner)] = static_cast<node_id>(n);
          calls_.outer[index(inner)] = outer;
          uses_.emplace_back(index(outer), index(inner));
        }
      }
    }
    return graphs.size();
  }

  program_view program_;
  graph_calls calls_;
  vector<edge> uses_;  ///< pairs of a calling graph and a called graph
};

}  // namespace detail

/// Returns the graphs that a program runs. `runs_original` marks the delegates that are replaced by their original graphs; it is empty if
/// no delegate is replaced. O(nodes that run). Fails with `recursive_graph` if a graph calls itself, directly or indirectly.
constexpr auto graphs_that_run(const program_view& program, vector<char> runs_original = {}) -> result<graph_calls> {
  return detail::graph_call_scan(program, std::move(runs_original)).run();
}

}  // namespace baton
