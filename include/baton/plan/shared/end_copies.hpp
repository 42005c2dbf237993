// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The copies at the end of a graph: new values of mutable buffers, results for the caller, and old values that are saved before they are
// overwritten. The copies of one call form a parallel move: each source is read before it is overwritten.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// Why a value is copied at the end of a graph.
enum class copy_reason : std::uint8_t {
  new_state,   ///< a mutable buffer receives its new value
  result,      ///< the caller's value receives a result that is stored elsewhere
  old_output,  ///< a user output is the old value of a mutable buffer, so the old value is saved before the new value is written
  exchange,    ///< mutable buffers exchange their values, so one value is saved first
};

inline constexpr std::array<std::string_view, 4> copy_reason_names{"new state", "graph output", "output is the old state",
                                                                   "states are swapped"};

/// A copy at the end of a graph, after the last node of the graph. The copy is performed before the calling node completes.
struct planned_copy {
  graph_id graph = none<graph_id>;
  node_id call = none<node_id>;  ///< the node that called the graph; `none` for the root
  value_id from = none<value_id>;
  value_id to = none<value_id>;  ///< `none` if the entry `memory` (a piece of planned memory, see `memory_needs`) receives the value
  std::uint64_t bytes = 0;
  copy_reason reason = copy_reason::new_state;
  bool is_iteration_part =
      false;  ///< whether the copy writes the result of one loop iteration into `to`, a stack of the results of all iterations
  /// The index of an earlier copy that wrote the value of `from` elsewhere; this copy reads the value there. `npos`: this copy reads
  /// `from`.
  std::uint32_t saved_by = npos;
  std::uint32_t memory = npos;  ///< the entry in `memory_needs::lifetimes` that receives the value if `to` is `none`
};

namespace detail {

/// A planner of the copies of each call of a graph. The planner orders these copies as a parallel move: each copy that overwrites a
/// location follows all copies that read this location. No such order exists for a cycle, in which each copy overwrites the source of
/// another copy. In a cycle, one value is saved first, unless an earlier copy has already written this value to another location (L.
/// Rideau, B. P. Serpette, X. Leroy, Tilting at windmills with Coq, J. Automated Reasoning 40, 2008).
class end_copy_planner {
 public:
  constexpr end_copy_planner(const program_view& program, const graph_calls& calls, const storage_map& map)
      : program_(program),
        calls_(calls),
        map_(map) {}

  constexpr auto run() -> vector<planned_copy> {
    for (const auto id : calls_.order) {
      if (calls_.order.size() == 1) break;  // no graph is called
      const auto nodes = program_[id].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) add_node(static_cast<node_id>(n));
    }
    if (!calls_.order.empty()) add_root(calls_.order.front());
    return std::move(copies_);
  }

 private:
  /// A copy, and its source and destination as locations. A location is named by the value that owns the memory. `from` is `none` for a
  /// constant. `to` is `none` if the copy writes into a stack of results (`is_iteration_part`), or saves an output.
  struct move {
    planned_copy copy;
    value_id from = none<value_id>;  ///< the source location
    value_id to = none<value_id>;    ///< the destination location
    bool is_done = false;
  };
  /// The state of a location while the copies of one call are ordered.
  struct location_state {
    std::uint32_t readers = 0;    ///< the number of copies from the location that are not yet emitted
    std::uint32_t writer = npos;  ///< the index of the move to the location
    std::uint32_t copy = npos;    ///< the index in `copies_` of a copy whose destination has the location's old value
  };

  constexpr void add_node(node_id n) {
    const auto& record = program_.nodes[index(n)];
    const auto called = graphs_run_by(program_, record, calls_.runs_original);
    for (std::size_t i = 0; i < called.size(); ++i) {
      if (i != 0 && called[i] == called[0]) continue;  // both branches are the same graph
      add_mutations(called[i], n);
      const bool is_condition = control_flow_of(program_, record) == control_flow::while_loop && i == 0;
      if (!is_condition) add_results(called[i], n, record);
      order_moves();
    }
  }

  constexpr void add_root(graph_id root) {
    add_mutations(root, none<node_id>);
    if (moves_.empty()) return;
    // Indexed by location: whether a move overwrites the location. The element is cleared when the old value of the location is saved, so
    // that this value is saved only once.
    vector<char> is_written(program_.values.size(), 0);
    for (const auto& each : moves_) is_written[index(each.to)] = 1;
    for (const auto id : user_outputs_of(program_, root)) {
      const auto location = location_of(id);
      if (location == none<value_id> || is_written[index(location)] == 0) continue;
      is_written[index(location)] = 0;
      moves_.push_back({{.graph = root, .from = id, .bytes = bytes_of(id), .reason = copy_reason::old_output}, location, none<value_id>});
    }
    order_moves();
  }

  constexpr void add_mutations(graph_id id, node_id call) {
    const auto inputs = program_.inputs(program_[id]);
    std::size_t at = 0;  // buffers and their mutations usually have the same order
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (spec.kind != output_kind::buffer_mutation) continue;
      std::size_t left = inputs.size();
      for (; left > 0 && !program_.is_mutated_by(inputs[at], spec); --left) at = at + 1 == inputs.size() ? 0 : at + 1;
      if (left != 0) add(id, call, spec.value, inputs[at], copy_reason::new_state, false);
    }
  }
  constexpr void add_results(graph_id id, node_id call, const node& record) {
    const auto results = program_.outputs_of(record);
    const auto returned = user_outputs_of(program_, id);
    const auto kind = control_flow_of(program_, record);
    const bool has_stacks = kind == control_flow::map || kind == control_flow::scan;
    const auto carried = has_stacks ? loop_counts_of(program_, record).carried : results.size();
    for (std::size_t i = 0; i < std::min(results.size(), returned.size()); ++i) {
      add(id, call, returned[i], results[i], copy_reason::result, i >= carried);
    }
  }
  constexpr void add(graph_id graph, node_id call, value_id from, value_id to, copy_reason reason, bool is_iteration_part) {
    const auto read = location_of(from);
    const auto written = is_iteration_part ? none<value_id> : location_of(to);
    if (read == written && !is_iteration_part) return;
    moves_.push_back({{graph, call, from, to, bytes_of(is_iteration_part ? from : to), reason, is_iteration_part}, read, written});
  }
  constexpr auto bytes_of(value_id id) const -> std::uint64_t {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, byte_count(program_[id].type, program_.shape(id))));
  }

  /// Returns the location of a value: the value that owns its memory. Returns `none` for constant data.
  constexpr auto location_of(value_id id) const -> value_id { return memory_of(program_, map_, id); }

  // Ordering

  constexpr auto at(value_id location) -> location_state& { return states_by_location_[index(location)]; }

  /// Orders the added moves so that no source is overwritten before it is read.
  constexpr void order_moves() {
    if (moves_.empty()) return;
    if (states_by_location_.empty()) states_by_location_.assign(program_.values.size(), location_state{});
    for (std::uint32_t m = 0; m < moves_.size(); ++m) {
      if (moves_[m].from != none<value_id>) at(moves_[m].from).readers += 1;
      if (moves_[m].to != none<value_id>) at(moves_[m].to).writer = m;
    }
    for (std::uint32_t m = 0; m < moves_.size(); ++m) {
      if (moves_[m].to == none<value_id>) emit(m);
    }
    for (std::uint32_t m = 0; m < moves_.size(); ++m) emit_ready(m);
    for (std::uint32_t m = 0; m < moves_.size(); ++m) {
      if (!moves_[m].is_done) break_cycle(m);
    }
    for (const auto& each : moves_) {
      if (each.from != none<value_id>) at(each.from) = {};
      if (each.to != none<value_id>) at(each.to) = {};
    }
    moves_.clear();
  }

  constexpr void emit(std::uint32_t m) {
    auto& each = moves_[m];
    each.is_done = true;
    if (each.from != none<value_id>) {
      at(each.from).readers -= 1;
      if (!each.copy.is_iteration_part) at(each.from).copy = static_cast<std::uint32_t>(copies_.size());
    }
    copies_.push_back(each.copy);
  }
  /// Emits move `m` if its destination has no pending readers. Then does the same for the move that overwrites the source of `m`, and so
  /// on.
  constexpr void emit_ready(std::uint32_t m) {
    while (m != npos && !moves_[m].is_done && at(moves_[m].to).readers == 0) {
      emit(m);
      m = moves_[m].from == none<value_id> ? npos : at(moves_[m].from).writer;
    }
  }

  /// Returns the move that overwrites the source of move `m` and therefore waits for `m`.
  constexpr auto waiting_move(std::uint32_t m) -> std::uint32_t { return at(moves_[m].from).writer; }

  /// Emits the moves of the cycle that contains move `m`. Call this function only if no move is ready. Then all remaining moves are in
  /// cycles.
  constexpr void break_cycle(std::uint32_t m) {
    auto begin = m;
    while (at(moves_[begin].to).copy == npos && waiting_move(begin) != m) begin = waiting_move(begin);
    if (at(moves_[begin].to).copy == npos) {
      const auto& last = moves_[begin];
      const auto saved = last.to;
      at(saved).copy = static_cast<std::uint32_t>(copies_.size());
      copies_.push_back({last.copy.graph, last.copy.call, last.copy.to, none<value_id>, last.copy.bytes, copy_reason::exchange});
    }
    const auto saved = moves_[begin].to;
    for (m = begin; moves_[m].from != saved; m = waiting_move(m)) emit(m);
    moves_[m].copy.saved_by = at(saved).copy;
    emit(m);
  }

  program_view program_;
  const graph_calls& calls_;
  const storage_map& map_;
  vector<move> moves_;                         ///< the moves of one call
  vector<location_state> states_by_location_;  ///< indexed by location
  vector<planned_copy> copies_;
};

/// Returns the copies at the end of graphs, grouped by call, in execution order. The copies of the root are last. Each mutable buffer
/// receives its new value, and each caller receives its results. Each copy reads the value that its source has after the last node of the
/// graph. O(calls + mutations + results).
constexpr auto plan_end_copies(const program_view& program, const graph_calls& calls, const storage_map& map) -> vector<planned_copy> {
  return detail::end_copy_planner(program, calls, map).run();
}

}  // namespace detail

}  // namespace baton
