// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The schedule: the steps of a run in order, and the check that a program can run in that order.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/rules.hpp>

#include <cstdint>

namespace baton {

/// The kind of a step.
enum class step_kind : std::uint8_t {
  kernel,        ///< a kernel computes a node
  delegate,      ///< a delegate is called
  control_flow,  ///< a node runs graphs
  rows,          ///< a segment (consecutive nodes that run row by row, see `stream_segment`)
  copy,          ///< bytes are copied at the end of a graph
};

/// One step of a run.
struct schedule_step {
  step_kind kind = step_kind::kernel;
  /// If `kind` is `copy`, a range in `memory_needs::copies`. For all other kinds, a range in `schedule::nodes`. Only a `rows` step has
  /// several nodes.
  range nodes{};
};

/// The steps of the graphs that run. Step `n` of a graph, counted from 0, is element `n` of the graph's range in `steps` (`graph_steps`).
/// Lifetimes count one more step, which represents the read of the outputs.
struct schedule {
  /// The copies at the end of a graph that a given node calls.
  struct copies_of_call {
    node_id call = none<node_id>;  ///< the calling node; `none` for the root
    graph_id graph = none<graph_id>;
    range steps{};  ///< one step for each copy, a range in `schedule::steps`
  };

  vector<node_id> nodes;          ///< in execution order, graph by graph
  vector<schedule_step> steps;    ///< the steps of all graphs, graph by graph; then the steps of all copies, call by call
  vector<range> graph_steps;      ///< indexed by graph: its steps, without copies
  vector<std::uint32_t> step_of;  ///< indexed by node: its step, counted from the first step of its graph; `npos` if the node does not run
  vector<copies_of_call> copies;

  constexpr auto steps_of(graph_id id) const -> span<const schedule_step> {
    return span<const schedule_step>{steps}.subspan(graph_steps[index(id)].first, graph_steps[index(id)].size);
  }
  constexpr auto nodes_of(const schedule_step& step) const -> span<const node_id> {
    return span<const node_id>{nodes}.subspan(step.nodes.first, step.nodes.size);
  }
  /// Returns the first node of a step. `step` is counted from the first step of graph `id`.
  constexpr auto first_node(graph_id id, std::uint32_t step) const -> node_id { return nodes[steps_of(id)[step].nodes.first]; }
};

/// Checks that each node that runs is in exactly one step of its graph, after all nodes on which it depends. A node depends on the
/// producers of its operands, and on the nodes that `state_order` puts before it. Fails with `invalid_schedule`.
constexpr auto verify_schedule(const schedule& planned, const program_view& program, const graph_calls& calls) -> failure {
  const auto producers = producers_of(program);
  vector<std::uint32_t> position(program.nodes.size(), npos);
  for (const auto id : calls.order) {
    const auto& graph = program[id];
    const auto is_of_graph = [&](node_id n) { return index(n) - graph.nodes.first < graph.nodes.size; };
    std::uint32_t count = 0;
    for (const auto& step : planned.steps_of(id)) {
      for (const auto n : planned.nodes_of(step)) {
        if (!is_of_graph(n) || position[index(n)] != npos) {
          return broken<"invalid_schedule">("graph ", program.text(graph.name), ": a step has node ", index(n),
                                            ", which is in another step or not in the graph");
        }
        position[index(n)] = count++;
      }
    }
    if (count != graph.nodes.size) {
      return broken<"invalid_schedule">("graph ", program.text(graph.name), ": only ", count, " of ", graph.nodes.size,
                                        " nodes have a step");
    }
    for (const auto& [before, after] : dependencies_between(program, graph, producers)) {
      const auto first = graph.nodes.first;
      if (position[first + before] < position[first + after]) continue;
      return broken_at<"invalid_schedule">(program, static_cast<node_id>(first + after), "it depends on ",
                                           program.text(program.nodes[first + before].name), " and runs before it");
    }
  }
  return {};
}

}  // namespace baton
