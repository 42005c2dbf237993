// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks the tags of a program. A tag is the name of the part to which a node or a value is assigned. A part is the nodes of a graph that
// become one delegate. The checks cover tagged inputs and outputs, the data that a part owns, states, and cycles. A state is a mutable
// buffer, which keeps its value from run to run.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/contracted_graph.hpp>
#include <baton/lower/detail/split_states.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/operators/shared/operator_names.hpp>
#include <baton/operators/shared/shared_states.hpp>
#include <baton/operators/shared/state_order.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// A check of the tags of one graph.
class tag_check {
 public:
  constexpr tag_check(const program_view& program, graph_id id, const contraction_tables& tables)
      : program_(program),
        graph_(program[id]),
        tables_(tables) {}

  constexpr auto run() const -> failure {
    for (const auto input : program_.inputs(graph_)) {
      const auto& record = program_[input];
      if (has_spec(program_, record.tag) && !is_owned_data(record.kind))
        return with_tag_of(broken<"tagged_user_input">("input ", program_.text(record.name)), program_, record.tag);
    }
    for (const auto& spec : program_.outputs_of(graph_)) {
      const auto& record = program_[spec.value];
      if (has_spec(program_, record.tag) && !is_owned_data(record.kind))
        return with_tag_of(broken<"tagged_output">("output ", program_.text(record.name)), program_, record.tag);
    }
    if (auto why = check_users()) return why;
    return check_mutations();
  }

 private:
  constexpr auto is_owned_by_a_part(value_id id) const -> bool {
    return id != none<value_id> && is_owned_data(program_[id].kind) && has_spec(program_, program_[id].tag);
  }

  template <class... Parts>
  constexpr auto sharing_failure(value_id id, Parts... user) const -> failure {
    const auto& record = program_[id];
    const auto name = program_.text(record.name);
    auto why = broken<"shared_constant">("constant ", name, user...);
    if (record.kind == value_kind::mutable_buffer) why = broken<"shared_mutable_buffer">("buffer ", name, user...);
    return with_tag_of(std::move(why), program_, record.tag);
  }

  /// True if an output of the program is the new value of the state. If such an output exists, an operator of any format except TensorFlow
  /// Lite returns the new value, and does not write the state in place.
  constexpr auto has_mutation(value_id state) const -> bool {
    for (const auto& spec : program_.outputs) {
      if (program_.is_mutated_by(state, spec)) return true;
    }
    return false;
  }

  /// Fails with `unowned_state` if a node of a part writes a state that the part does not own. A delegate must not write its arguments.
  constexpr auto check_written_state(const node& record, value_id input) const -> failure {
    if (input == none<value_id> || program_[input].kind != value_kind::mutable_buffer || !has_spec(program_, record.tag)) return {};
    if (program_[input].tag == record.tag || !may_write_operands(program_, record)) return {};
    if (!program_.text(record.target).starts_with(tflite::operator_prefix) && has_mutation(input)) return {};
    return with_tag_of(broken<"unowned_state">("buffer ", program_.text(program_[input].name)), program_, record.tag);
  }

  constexpr auto check_users() const -> failure {
    for (std::uint32_t n = graph_.nodes.first; n < graph_.nodes.first + graph_.nodes.size; ++n) {
      const auto user = program_.nodes[n].tag;
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (auto why = check_written_state(program_.nodes[n], input)) return locate(std::move(why), program_, static_cast<node_id>(n));
        if (!is_owned_by_a_part(input) || program_[input].tag == user) continue;
        const auto tag = user == none<tag_id> ? "none" : program_.text(program_[user].name);
        return locate(sharing_failure(input, ", used by a node with tag ", tag), program_, static_cast<node_id>(n));
      }
    }
    for (const auto& spec : program_.outputs_of(graph_)) {
      if (is_owned_by_a_part(spec.value)) return sharing_failure(spec.value, ", used by a graph output");
    }
    return {};
  }

  constexpr auto owned_mutable_buffers() const -> vector<value_id> {
    vector<value_id> buffers;
    for (const auto input : program_.inputs(graph_)) {
      if (program_[input].kind == value_kind::mutable_buffer && is_owned_by_a_part(input)) buffers.push_back(input);
    }
    return buffers;
  }

  constexpr auto check_mutations() const -> failure {
    const auto buffers = owned_mutable_buffers();
    if (buffers.empty()) return {};
    const auto outputs = program_.outputs_of(graph_);
    for (const auto& spec : outputs) {
      const auto buffer = std::find_if(buffers.begin(), buffers.end(), [&](value_id id) { return program_.is_mutated_by(id, spec); });
      if (buffer == buffers.end()) continue;
      const auto target = program_.text(spec.target);
      const auto owner = program_[*buffer].tag;
      const auto name = program_.text(program_[spec.value].name);
      const auto producer = tables_.producers[index(spec.value)];
      if (producer == none<node_id> || program_[producer].tag != owner)
        return with_tag_of(broken<"foreign_mutation">("buffer ", target, ", new value ", name), program_, owner);
      const auto is_this = [&](const output_spec& other) { return other.value == spec.value; };
      if (std::count_if(outputs.begin(), outputs.end(), is_this) > 1)
        return with_tag_of(broken<"shared_mutation">("buffer ", target, ", new value ", name), program_, owner);
    }
    return {};
  }

  program_view program_;
  graph graph_;
  const contraction_tables& tables_;
};

}  // namespace detail

/// Checks the tags of a program after `split_shared_constants`. Data that a part owns may be used only by that part. Fails with
/// `tagged_output`, `tagged_user_input`, `shared_constant`, `shared_mutable_buffer`, `unowned_state`, `foreign_mutation`, `shared_mutation`
/// or `dependency_cycle`; `docs/errors.md` has the conditions. If there are parts, also fails as `check_shared_states` and
/// `check_split_states` do.
constexpr auto check_parts(const program_view& program) -> failure {
  const auto is_lowered = detail::lowered_graphs(program);
  detail::contraction_tables tables(program);
  bool has_parts = false;
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (is_lowered[g] == 0) continue;
    if (auto why = detail::tag_check(program, static_cast<graph_id>(g), tables).run()) return why;
    if (!detail::has_parts(program, program.graphs[g])) continue;
    has_parts = true;
    detail::contracted_graph contracted(program, static_cast<graph_id>(g), tables);
    if (contracted.order().size() != contracted.units()) return contracted.cycle_failure(tables.producers);
  }
  if (!has_parts) return {};
  if (auto why = check_shared_states(program)) return why;
  return detail::check_split_states(program);
}

}  // namespace baton
