// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of passes, which every model must keep for every program.
#pragma once

#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/pass.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace laws::pass {

template <baton::pass Model>
constexpr auto run(const baton::program_view& program) -> baton::exported_program {
  baton::result<baton::exported_program> rewritten{Model::run(program)};
  return rewritten.value;
}

/// It returns a valid program, or a failure with a message.
template <baton::pass Model>
constexpr auto result_is_valid(const baton::program_view& program) -> bool {
  const baton::result<baton::exported_program> rewritten{Model::run(program)};
  if (!rewritten) return !baton::message(rewritten.error).empty();
  return !baton::verify(rewritten.value);
}

/// The same program is rewritten in the same way.
template <baton::pass Model>
constexpr auto is_deterministic(const baton::program_view& program) -> bool {
  return baton::same(run<Model>(program), run<Model>(program));
}

/// Its own result is unchanged.
template <baton::pass Model>
constexpr auto is_idempotent(const baton::program_view& program) -> bool {
  const auto once = run<Model>(program);
  return baton::same(run<Model>(once), once);
}

/// A program is unchanged if the pass states that it does not need the pass.
template <baton::pass Model>
constexpr auto is_unchanged_unless_needed(const baton::program_view& program) -> bool {
  if constexpr (requires { Model::is_needed(program); }) return Model::is_needed(program) || baton::same(run<Model>(program), program);
  return true;
}

constexpr auto have_same_name_and_type(const baton::program_view& before, baton::value_id a, const baton::program_view& after,
                                       baton::value_id b) -> bool {
  return before.text(before[a].name) == after.text(after[b].name) && before[a].type == after[b].type &&
         std::ranges::equal(before.shape(a), after.shape(b));
}

/// Inputs and outputs keep their names, types and shapes, and the same states are mutated in the same order.
template <baton::pass Model>
constexpr auto keeps_signature(const baton::program_view& program) -> bool {
  const auto owner = run<Model>(program);
  const baton::program_view rewritten = owner;
  const auto inputs = baton::user_inputs_of(program, baton::graph_id{0}), new_inputs = baton::user_inputs_of(rewritten, baton::graph_id{0});
  const auto outputs = program.outputs_of(program.root()), new_outputs = rewritten.outputs_of(rewritten.root());
  if (inputs.size() != new_inputs.size() || outputs.size() != new_outputs.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!have_same_name_and_type(program, inputs[i], rewritten, new_inputs[i])) return false;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].kind != new_outputs[i].kind || program.text(outputs[i].target) != rewritten.text(new_outputs[i].target)) return false;
    if (!have_same_name_and_type(program, outputs[i].value, rewritten, new_outputs[i].value)) return false;
  }
  return true;
}

/// A node that remains keeps its debug handle. A new node has the handle of a removed node, or one that no node has had.
template <baton::pass Model>
constexpr auto debug_handles_are_stable(const baton::program_view& program) -> bool {
  const auto owner = run<Model>(program);
  const baton::program_view rewritten = owner;
  const auto are_same_node = [&](const baton::node& a, const baton::node& b) {
    return a.op == b.op && program.text(a.name) == rewritten.text(b.name);
  };
  for (const auto& record : rewritten.nodes) {
    bool remained = false;
    bool kept_its_handle = false;
    bool is_in_use = false;  // by a node that remains
    for (const auto& source : program.nodes) {
      const bool is_same = are_same_node(source, record);
      remained = remained || is_same;
      kept_its_handle = kept_its_handle || (is_same && source.debug_handle == record.debug_handle);
      if (source.debug_handle != record.debug_handle || is_same) continue;
      for (const auto& other : rewritten.nodes) is_in_use = is_in_use || are_same_node(source, other);
    }
    if (remained ? !kept_its_handle : is_in_use) return false;
    if (!remained && record.debug_handle == 0) return false;
  }
  return true;
}

/// The debug handle of every node that an output depends on is still present, possibly as a folded handle.
template <baton::pass Model>
constexpr auto debug_handles_are_complete(const baton::program_view& program) -> bool {
  const auto owner = run<Model>(program);
  const baton::program_view rewritten = owner;
  baton::vector<std::int64_t> handles;
  for (const auto& record : rewritten.nodes) {
    handles.push_back(record.debug_handle);
    for (const auto folded : rewritten.folded_handles(record)) handles.push_back(folded);
  }
  std::ranges::sort(handles);
  const auto is_present = [&](std::int64_t handle) { return handle == 0 || std::ranges::binary_search(handles, handle); };
  baton::vector<char> is_needed(program.values.size(), 0);
  for (const auto id : baton::nested_graphs(program, baton::graph_id{0})) {
    for (const auto& output : program.outputs_of(program[id])) is_needed[baton::index(output.value)] = 1;
    const auto nodes = program.nodes_of(program[id]);
    for (std::size_t n = nodes.size(); n-- > 0;) {
      const auto is = [&](baton::value_id value) { return is_needed[baton::index(value)] != 0; };
      if (!std::ranges::any_of(program.outputs_of(nodes[n]), is)) continue;
      for (const auto input : program.inputs(nodes[n])) {
        if (input != baton::none<baton::value_id>) is_needed[baton::index(input)] = 1;
      }
      if (!is_present(nodes[n].debug_handle) || !std::ranges::all_of(program.folded_handles(nodes[n]), is_present)) return false;
    }
  }
  return true;
}

/// Lowered modules and their processed bytes are unchanged.
template <baton::pass Model>
constexpr auto keeps_lowered_modules(const baton::program_view& program) -> bool {
  const auto owner = run<Model>(program);
  const baton::program_view rewritten = owner;
  if (rewritten.delegates.size() != program.delegates.size()) return false;
  for (std::size_t d = 0; d < rewritten.delegates.size(); ++d) {
    if (rewritten.text(rewritten.delegates[d].processed_bytes) != program.text(program.delegates[d].processed_bytes)) return false;
  }
  return true;
}

/// All laws that do not run the program.
template <baton::pass Model>
constexpr auto static_laws(const baton::program_view& program) -> bool {
  return result_is_valid<Model>(program) && is_deterministic<Model>(program) && is_idempotent<Model>(program) &&
         is_unchanged_unless_needed<Model>(program) && keeps_signature<Model>(program) && debug_handles_are_stable<Model>(program) &&
         debug_handles_are_complete<Model>(program) && keeps_lowered_modules<Model>(program);
}

/// All laws. `computes_the_same(before, after)` returns true if two programs compute the same outputs and states.
template <baton::pass Model, class Comparison>
constexpr auto all(const baton::program_view& program, Comparison computes_the_same) -> bool {
  return static_laws<Model>(program) && computes_the_same(program, run<Model>(program));
}

}  // namespace laws::pass
