// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which graphs of a program run, and which nodes call them.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/control_flow.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// The graphs that run with a program: the root, the subgraphs of control-flow nodes, and the originals of those delegates whose backend
/// has them run (`runs_original`). `run` calls them in order.
struct graph_calls {
  vector<graph_id> order;        ///< those that run, callers before what they call; the root first
  vector<std::uint32_t> counts;  ///< by graph: how many places call it; 0: it does not run, or is the root
  vector<node_id> caller;        ///< by graph: a node that calls it, `none` of the root
  vector<graph_id> outer;        ///< by graph: the graph of that node
  vector<char> runs_original;    ///< by delegate: whether its original graph runs in its place; empty: none does

  /// Whether one place alone calls the graph, so that what lies around that place is known to it.
  constexpr auto has_one_caller(graph_id id) const -> bool { return counts[index(id)] == 1; }
  constexpr auto runs(graph_id id) const -> bool { return index(id) == 0 || counts[index(id)] != 0; }
};

/// The graphs that a node runs: the subgraphs of control flow, the original of a delegate that is in the list. Views the program and the
/// list.
constexpr auto graphs_run_by(const program_view& program, const node& record, std::span<const char> runs_original)
    -> std::span<const graph_id> {
  if (control_flow_of(record) != control_flow::none) return program.subgraphs_of(record);
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

 private:
  // Defined before it is used: Clang evaluates no template of a class that comes later.
  template <class F>
  constexpr void for_each_called(graph_id id, F f) const {
    const auto nodes = program_[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      for (const auto inner : graphs_run_by(program_, program_.nodes[n], calls_.runs_original)) f(static_cast<node_id>(n), inner);
    }
  }

 public:
  // Kahn's algorithm over "graph calls graph", as in `verify`.
  constexpr auto run() -> result<graph_calls> {
    if (program_.graphs.empty()) return std::move(calls_);
    reach();
    auto waiting = calls_.counts;
    calls_.order.push_back(graph_id{0});
    for (std::size_t at = 0; at < calls_.order.size(); ++at) {
      for_each_called(calls_.order[at], [&](node_id, graph_id inner) {
        if (--waiting[index(inner)] == 0) calls_.order.push_back(inner);
      });
    }
    if (calls_.order.size() != reached_ || calls_.counts[0] != 0) return broken<rule::recursive_graph>();
    return std::move(calls_);
  }

 private:
  /// Counts the calls of all graphs that can be reached from the root.
  constexpr void reach() {
    vector<graph_id> found{graph_id{0}};
    for (std::size_t at = 0; at < found.size(); ++at) {
      const auto outer = found[at];
      for_each_called(outer, [&](node_id caller, graph_id inner) {
        if (calls_.counts[index(inner)]++ == 0 && index(inner) != 0) found.push_back(inner);
        calls_.caller[index(inner)] = caller;
        calls_.outer[index(inner)] = outer;
      });
    }
    reached_ = found.size();
  }

  program_view program_;
  graph_calls calls_;
  std::size_t reached_ = 0;
};

}  // namespace detail

/// The graphs that run with a program; `runs_original` names, by delegate, those whose original graph runs in their place (empty: none).
/// Linear in the nodes that run. Errors: `recursive_graph`.
constexpr auto graphs_that_run(const program_view& program, vector<char> runs_original = {}) -> result<graph_calls> {
  return detail::graph_call_scan(program, std::move(runs_original)).run();
}

}  // namespace baton
