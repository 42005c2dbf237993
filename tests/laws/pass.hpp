// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of passes: what every model must do with every program.
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
constexpr auto done(const baton::program_view& program) -> baton::exported_program {
  baton::result<baton::exported_program> made{Model::run(program)};
  return made.value;
}

/// It makes a well-formed program, or says why not.
template <baton::pass Model>
constexpr auto makes_a_program_or_says_why(const baton::program_view& program) -> bool {
  const baton::result<baton::exported_program> made{Model::run(program)};
  if (!made) return !baton::message(made.error).empty();
  return !baton::verify(made.value);
}

/// The same program gives the same program.
template <baton::pass Model>
constexpr auto is_a_function_of_the_program(const baton::program_view& program) -> bool {
  return baton::same(done<Model>(program), done<Model>(program));
}

/// What it makes it leaves alone.
template <baton::pass Model>
constexpr auto is_idempotent(const baton::program_view& program) -> bool {
  const auto once = done<Model>(program);
  return baton::same(done<Model>(once), once);
}

constexpr auto is_same_face(const baton::program_view& before, baton::value_id a, const baton::program_view& after, baton::value_id b)
    -> bool {
  return before.text(before[a].name) == after.text(after[b].name) && before[a].type == after[b].type &&
         std::ranges::equal(before.shape(a), after.shape(b));
}

/// Users give and take the same values, by name, type and shape, and the same states are mutated, in the same order.
template <baton::pass Model>
constexpr auto keeps_the_signature(const baton::program_view& program) -> bool {
  const auto owner = done<Model>(program);
  const baton::program_view made = owner;
  const auto inputs = baton::user_inputs_of(program, baton::graph_id{0}), inputs_made = baton::user_inputs_of(made, baton::graph_id{0});
  const auto outputs = program.outputs_of(program.root()), outputs_made = made.outputs_of(made.root());
  if (inputs.size() != inputs_made.size() || outputs.size() != outputs_made.size()) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_same_face(program, inputs[i], made, inputs_made[i])) return false;
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].kind != outputs_made[i].kind || program.text(outputs[i].target) != made.text(outputs_made[i].target)) return false;
    if (!is_same_face(program, outputs[i].value, made, outputs_made[i].value)) return false;
  }
  return true;
}

/// A node that stays keeps its debug handle; one that comes has that of a node which went, or one that no node has had.
template <baton::pass Model>
constexpr auto keeps_debug_handles(const baton::program_view& program) -> bool {
  const auto owner = done<Model>(program);
  const baton::program_view made = owner;
  const auto is_twin = [&](const baton::node& a, const baton::node& b) {
    return a.op == b.op && program.text(a.name) == made.text(b.name);
  };
  for (const auto& record : made.nodes) {
    bool stayed = false;
    bool stayed_with_handle = false;
    bool is_taken = false;  // by a node that stays
    for (const auto& source : program.nodes) {
      const bool twin = is_twin(source, record);
      stayed = stayed || twin;
      stayed_with_handle = stayed_with_handle || (twin && source.debug_handle == record.debug_handle);
      if (source.debug_handle != record.debug_handle || twin) continue;
      for (const auto& other : made.nodes) is_taken = is_taken || is_twin(source, other);
    }
    if (stayed ? !stayed_with_handle : is_taken) return false;
    if (!stayed && record.debug_handle == 0) return false;
  }
  return true;
}

/// The handle of every node on which an output depends stands on a node still, be it as a folded one.
template <baton::pass Model>
constexpr auto finds_every_debug_handle(const baton::program_view& program) -> bool {
  const auto owner = done<Model>(program);
  const baton::program_view made = owner;
  baton::vector<std::int64_t> found;
  for (const auto& record : made.nodes) {
    found.push_back(record.debug_handle);
    for (const auto folded : made.folded_handles(record)) found.push_back(folded);
  }
  std::ranges::sort(found);
  const auto is_found = [&](std::int64_t handle) { return handle == 0 || std::ranges::binary_search(found, handle); };
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
      if (!is_found(nodes[n].debug_handle) || !std::ranges::all_of(program.folded_handles(nodes[n]), is_found)) return false;
    }
  }
  return true;
}

/// Lowered modules stay, and so do their blobs.
template <baton::pass Model>
constexpr auto keeps_lowered_modules(const baton::program_view& program) -> bool {
  const auto owner = done<Model>(program);
  const baton::program_view made = owner;
  if (made.delegates.size() != program.delegates.size()) return false;
  for (std::size_t d = 0; d < made.delegates.size(); ++d) {
    if (made.text(made.delegates[d].processed_bytes) != program.text(program.delegates[d].processed_bytes)) return false;
  }
  return true;
}

/// All laws that need no run.
template <baton::pass Model>
constexpr auto of_form(const baton::program_view& program) -> bool {
  return makes_a_program_or_says_why<Model>(program) && is_a_function_of_the_program<Model>(program) && is_idempotent<Model>(program) &&
         keeps_the_signature<Model>(program) && keeps_debug_handles<Model>(program) && finds_every_debug_handle<Model>(program) &&
         keeps_lowered_modules<Model>(program);
}

/// All laws. `computes_the_same(before, after)` says of two programs whether they give the same outputs, and leave the same states.
template <baton::pass Model, class Comparison>
constexpr auto all(const baton::program_view& program, Comparison computes_the_same) -> bool {
  return of_form<Model>(program) && computes_the_same(program, done<Model>(program));
}

}  // namespace laws::pass
