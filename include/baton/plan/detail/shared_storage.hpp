// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The storage map before planning. The map records outputs that alias an operand, and values that share memory with a calling node.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/plan/detail/kernel_choices.hpp>
#include <baton/plan/shared/bound_tensors.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/storage_map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

namespace detail {

/// Returns, indexed by value, whether the value is a state (mutable buffer) that a subgraph of the value's graph also uses. The subgraph
/// may write such a state while the outer graph still uses it. Subgraphs of subgraphs count too. The result is empty if no state is used by
/// several graphs.
constexpr auto states_used_below(const program_view& program) -> vector<char> {
  vector<char> is_used_below;
  for (const auto& state : states_of_several_graphs(program)) {
    if (is_used_below.empty()) is_used_below.assign(program.values.size(), 0);
    for (const auto id : state) {
      const auto below = nested_graphs(program, program[id].graph);
      for (const auto other : state) {
        if (other != id && std::find(below.begin(), below.end(), program[other].graph) != below.end()) is_used_below[index(id)] = 1;
      }
    }
  }
  return is_used_below;
}
/// Returns, indexed by value, the step of the last node that writes the value in place, or 0 if no node does. The result is empty if no
/// node writes in place. If `step_of` is empty, steps are positions of nodes in the program.
constexpr auto last_writes_in_place(const program_view& program, span<const std::uint32_t> step_of) -> vector<std::uint32_t> {
  vector<std::uint32_t> last;
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto& record = program.nodes[n];
    if (!writes_a_state(program, record)) continue;
    last.resize(program.values.size(), 0);
    for (const auto input : program.inputs(record)) {
      if (input == none<value_id> || program[input].kind != value_kind::mutable_buffer) continue;
      last[index(input)] = std::max(last[index(input)], step_of.empty() ? n : step_of[n]);
    }
  }
  return last;
}

/// The sharing of memory between a graph and its only caller. An input of the graph uses the memory of the caller's operand. A carried
/// input of a loop (a value that each iteration passes to the next) uses the memory of the loop's result. A result of a branch, or of
/// the original graph of a delegate (the part before `preprocess`), uses the memory of the caller's result if it is an intermediate value
/// with memory of its own. Other inputs and results are copied:
/// - the piece of a loop's stacked operand that one iteration reads (see `loop_counts`);
/// - the results of loop bodies;
/// - carried inputs that the body returns at another position;
/// - results of branches and original graphs that are inputs, constants, states, or equal to an earlier result.
class handover {
 public:
  constexpr handover(const program_view& program, const graph_calls& calls, storage_map& map)
      : program_(program),
        calls_(calls),
        map_(map) {}

  constexpr void run() {
    for (std::size_t g = 1; g < calls_.order.size(); ++g) {
      if (calls_.has_one_caller(calls_.order[g])) hand_over(calls_.order[g]);
    }
  }

 private:
  constexpr void store_in(value_id id, value_id holder) {
    if (holder != none<value_id>) map_.place(id, {container::value, storage_reason::from_caller, index(holder)});
  }

  constexpr void hand_over(graph_id id) {
    const auto& caller = program_[calls_.caller[index(id)]];
    const auto kind = control_flow_of(program_, caller);
    const auto counts = loop_counts_of(program_, caller);
    const auto operands = program_.inputs(caller).subspan(kind == control_flow::cond ? 1 : 0);
    const auto results = program_.outputs_of(caller);
    const auto inputs = user_inputs_of(program_, id);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (i >= counts.carried + counts.stacked) {
        store_in(inputs[i], operands[i]);
      } else if (i < counts.carried && !returns_elsewhere(id, caller, inputs[i], i)) {
        store_in(inputs[i], results[i]);
      }
    }
    if (kind != control_flow::cond && kind != control_flow::none) return;
    const auto outputs = user_outputs_of(program_, id);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const auto owner = map_.root_of(outputs[i]).value;
      if (program_[owner].kind == value_kind::intermediate && map_[owner].why == storage_reason::own) store_in(owner, results[i]);
    }
  }

  /// True if graph `id` is the body of a loop and returns the carried input `input` at a position other than `at`. Then the input must not
  /// use the memory of the loop's result, because a result could overwrite the input before the input is read.
  constexpr auto returns_elsewhere(graph_id id, const node& caller, value_id input, std::size_t at) const -> bool {
    if (program_.subgraphs_of(caller).back() != id) return false;
    const auto outputs = user_outputs_of(program_, id);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (i != at && map_.root_of(outputs[i]).value == input) return true;
    }
    return false;
  }

  program_view program_;
  const graph_calls& calls_;
  storage_map& map_;
};

/// Stores each output that aliases an operand in the memory of the operand. The output has separate memory if the operand is constant, or
/// is a state that may be written while the output is used. For bound values (values in buffers of the caller), `place_bound_alias`
/// decides. `step_of` contains the steps of the schedule; empty means program order.
constexpr void add_aliases(storage_map& map, const program_view& program, span<const chosen_kernel> chosen,
                           span<const std::uint32_t> step_of = {}) {
  const auto used_below = states_used_below(program);
  const auto last_writes = last_writes_in_place(program, step_of);
  for (std::uint32_t n = 0; n < chosen.size(); ++n) {
    if (!chosen[n].facts.output_aliases_input) continue;
    const auto& record = program.nodes[n];
    const auto from = program.inputs(record)[0];
    if (!needs_memory(program[from]) || (!used_below.empty() && used_below[index(from)] != 0)) continue;
    if (!last_writes.empty() && last_writes[index(map.root_of(from).value)] > (step_of.empty() ? n : step_of[n])) continue;
    const auto output = program.outputs_of(record)[0];
    if (!place_bound_alias(map, program, from, output)) map.place(output, {container::value, storage_reason::forwarded, index(from)});
  }
}

/// Merges states that several graphs use under the same name, and shares memory between graphs and the nodes that call them.
constexpr void add_storage_of_calls(storage_map& map, const program_view& program, const graph_calls& calls) {
  if (calls.order.size() <= 1) return;
  add_storage_of_states(map, program);
  handover(program, calls, map).run();
}

}  // namespace detail

/// Returns the storage map before planning, with kernels chosen from `list`. If no kernel supports a node, its outputs have memory of their
/// own. Graphs share memory with the nodes that call them.
template <class... Kernels>
constexpr auto shared_storage(kernel_list<Kernels...> list, const program_view& program) -> storage_map {
  vector<detail::chosen_kernel> chosen;
  for (const auto& record : program.nodes) {
    const auto choice = choose_kernel(list, program, record);
    chosen.push_back({});
    if (choice.support) chosen.back() = {static_cast<std::uint32_t>(choice.index), choice.facts};
  }
  storage_map map(program.values.size());
  detail::add_aliases(map, program, chosen);
  if (const auto calls = graphs_that_run(program)) detail::add_storage_of_calls(map, program, calls.value);
  return map;
}

}  // namespace baton
