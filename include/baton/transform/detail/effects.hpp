// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions that determine whether a node has effects other than its outputs.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/shared/operator_names.hpp>

namespace baton {

namespace detail {

/// Whether a node itself may have effects. The subgraphs of the node are not inspected.
constexpr auto has_own_effects(const program_view& program, const node& record) -> bool {
  if (record.outputs.size == 0 || record.delegate != none<delegate_id>) return true;
  const auto& definition = find_definition(program, record);
  if (definition.keeps_state || definition.is_functional) return definition.keeps_state;
  const auto op = program.text(record.target);
  if (op.starts_with("aten.")) return false;
  for (const auto input : program.inputs(record)) {
    if (input != none<value_id> && program[input].kind == value_kind::mutable_buffer) return true;
  }
  return op.starts_with(tflite::custom_operator_prefix) || op.starts_with(tflite::newer_operator_prefix);
}

}  // namespace detail

/// Whether a node may have effects other than its outputs, so that the node must stay even if no output is used. True for:
/// - nodes without outputs, and delegate calls;
/// - operators whose definition sets `keeps_state`;
/// - nodes with a mutable buffer as an operand, because the node may write the buffer in place. A mutable buffer keeps its value from run
///   to run. Exceptions are operators of `aten`, and operators whose definition sets `is_functional`;
/// - custom operators of TensorFlow Lite without a definition that sets `is_functional`, and builtin operators that are newer than the
///   table `operator_names` (operators/shared/operator_names.hpp);
/// - nodes with a subgraph that mutates a state or contains a node with effects.
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
