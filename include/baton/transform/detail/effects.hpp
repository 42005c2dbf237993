// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether a node does more than make its outputs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/shared/operator_names.hpp>

namespace baton {

namespace detail {

/// Of a node by itself, whatever its subgraphs do.
constexpr auto has_own_effects(const program_view& program, const node& record) -> bool {
  if (record.outputs.size == 0 || record.delegate != none<delegate_id>) return true;
  if (find_definition(program, record).keeps_state) return true;
  const auto op = program.text(record.target);
  if (op.starts_with("aten.")) return false;
  for (const auto input : program.inputs(record)) {
    if (input != none<value_id> && program[input].kind == value_kind::mutable_buffer) return true;
  }
  return op.starts_with(tflite::custom_operator_prefix) || op.starts_with(tflite::young_operator_prefix);
}

}  // namespace detail

/// Whether a node may do more than make its outputs, so that it must stay although nobody uses these. Programs are functional, but for:
/// nodes without outputs; delegate calls; those with a mutable buffer among their operands, which they may write in place, as no operator
/// of `aten` does; operators whose definition, the user's or the library's, says `keeps_state`; custom operators of TensorFlow Lite, and
/// those that the table does not know; and nodes in whose subgraphs there is such a node, or a state is mutated.
constexpr auto has_effects(const program_view& program, const node& record) -> bool {
  if (detail::has_own_effects(program, record)) return true;
  for (const auto called : program.subgraphs_of(record)) {
    for (const auto inner : nested_graphs(program, called)) {
      for (const auto& spec : program.outputs_of(program[inner])) {
        if (spec.kind == output_kind::buffer_mutation) return true;
      }
      for (const auto& within : program.nodes_of(program[inner])) {
        if (detail::has_own_effects(program, within)) return true;
      }
    }
  }
  return false;
}

}  // namespace baton
