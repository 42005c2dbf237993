// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The execution order of nodes that access the same state in place. A read before a write returns the old value; a read after the write
// returns the new value.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/operator_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// True if a node may write to mutable buffers among its operands. False for delegate calls and control flow. For all other nodes, the
/// operator definition decides (`keeps_state` or `is_functional`). If the definition sets neither, returns false for operators of `aten`,
/// and for the builtin operators in `tflite::operator_names`. Returns true for all other operators, because their effects are unknown.
constexpr auto may_write_operands(const program_view& program, const node& record) -> bool {
  if (record.delegate != none<delegate_id> || control_flow_of(program, record) != control_flow::none) return false;
  const auto& definition = find_definition(program, record);
  if (definition.keeps_state || definition.is_functional) return definition.keeps_state;
  const auto op = program.text(record.target);
  if (op.starts_with("aten.")) return false;
  return !op.starts_with(tflite::operator_prefix) || op.starts_with(tflite::custom_operator_prefix) ||
         op.starts_with(tflite::newer_operator_prefix);
}

/// True if a node may write to the mutable buffer `state` in place.
constexpr auto writes_state(const program_view& program, const node& record, value_id state) -> bool {
  const auto operands = program.inputs(record);
  return std::find(operands.begin(), operands.end(), state) != operands.end() && may_write_operands(program, record);
}

/// True if a node may write to one or more mutable buffers in place.
constexpr auto writes_a_state(const program_view& program, const node& record) -> bool {
  const auto operands = program.inputs(record);
  const auto is_state = [&](value_id id) { return id != none<value_id> && program[id].kind == value_kind::mutable_buffer; };
  return std::any_of(operands.begin(), operands.end(), is_state) && may_write_operands(program, record);
}

namespace detail {

/// The accesses of a graph's nodes to its states, in node order.
class state_accesses {
 public:
  /// Records that node `n` accesses `state`. Appends to `edges` an edge to `n` from each earlier access of `state` that must precede node
  /// `n`.
  constexpr void access(std::uint32_t n, value_id state, bool is_write, vector<edge>& edges) {
    auto& history = record_of(state);
    if (history.writer != npos && history.writer != n) edges.emplace_back(history.writer, n);
    if (!is_write) {
      history.readers.push_back(n);
      return;
    }
    for (const auto reader : history.readers) {
      if (reader != n) edges.emplace_back(reader, n);
    }
    history.readers.clear();
    history.writer = n;
  }

 private:
  /// The last write of a state, and the reads since then.
  struct record {
    value_id state = none<value_id>;
    std::uint32_t writer = npos;
    vector<std::uint32_t> readers;
  };

  constexpr auto record_of(value_id id) -> record& {
    for (auto& each : states_) {
      if (each.state == id) return each;
    }
    states_.push_back({id, npos, {}});
    return states_.back();
  }

  vector<record> states_;
};

}  // namespace detail

/// Returns the execution order that states determine, as edges between nodes. An edge that follows from other edges may be omitted. Nodes
/// are positions in the graph; edges are sorted by the second node, which must run after the first. A write in place must run after the
/// previous write and all reads since then. A read must run after the previous write.
constexpr auto state_order(const program_view& program, const graph& g) -> vector<edge> {
  vector<edge> order;
  const auto placeholders = program.inputs(g);
  const auto is_state = [&](value_id id) { return program[id].kind == value_kind::mutable_buffer; };
  if (std::none_of(placeholders.begin(), placeholders.end(), is_state)) return order;
  detail::state_accesses states;
  for (std::uint32_t n = 0; n < g.nodes.size; ++n) {
    const auto& record = program.nodes[g.nodes.first + n];
    for (const auto input : program.inputs(record)) {
      if (input != none<value_id> && is_state(input)) states.access(n, input, may_write_operands(program, record), order);
    }
  }
  return order;
}

/// Returns the dependencies between the nodes of a graph as edges. Nodes are positions in the graph; edges are sorted by the second node.
/// The second node uses an output of the first node, or must run after the first node because of `state_order`. `producers` is the result
/// of `producers_of`.
constexpr auto dependencies_between(const program_view& program, const graph& g, const vector<node_id>& producers) -> vector<edge> {
  const auto state_edges = state_order(program, g);
  const auto* next = state_edges.data();
  const auto* const end = next + state_edges.size();
  const auto first = g.nodes.first;
  vector<edge> dependencies;
  for (std::uint32_t n = 0; n < g.nodes.size; ++n) {
    for (const auto input : program.inputs(program.nodes[first + n])) {
      const auto producer = input == none<value_id> ? none<node_id> : producers[index(input)];
      if (producer != none<node_id> && index(producer) - first < n) dependencies.emplace_back(index(producer) - first, n);
    }
    for (; next != end && next->second == n; ++next) dependencies.push_back(*next);
  }
  return dependencies;
}

/// Appends to `text` the edges of `cycle` that exist only because of a state. The second node of such an edge uses no output of the first
/// node. `text` describes the cycle.
constexpr void add_state_steps(text_buffer& text, const program_view& program, span<const edge> cycle) {
  for (const auto& [first, second] : cycle) {
    const auto inputs = program.inputs(program.nodes[second]);
    const auto outputs = program.outputs_of(program.nodes[first]);
    const auto is_used = [&](value_id id) { return std::find(inputs.begin(), inputs.end(), id) != inputs.end(); };
    if (std::any_of(outputs.begin(), outputs.end(), is_used)) continue;
    append(append(text, "; "), program.text(program.nodes[second].name));
    append(append(text, " accesses a state after "), program.text(program.nodes[first].name));
  }
}

}  // namespace baton
