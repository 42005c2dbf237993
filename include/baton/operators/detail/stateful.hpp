// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators with state that persists between runs: variables and tables with handles, and random number generators.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition handle_operands[] = {{"handle"}};
inline constexpr operand_definition assignment_operands[] = {{"handle"}, {"value"}};

inline constexpr operand_definition circular_operands[] = {{"input"}, {"state", operand_definition::presence::optional}};

/// Infers only the dtype (`circular_buffer.cc`). The output contains several successive inputs; only the file states their number.
constexpr void infer_circular_buffer(inference& node) { node.set_type(0, node.type(0)); }
/// Returns the size of the state in bytes, which is the size of the output. Returns 0 (unknown) if the size of the output is unknown, 0, or
/// at least 1 GiB. Also returns 0 if the node does not have exactly one output.
constexpr auto state_of_circular_buffer(const program_view& program, const node& record) -> std::uint64_t {
  if (record.outputs.size != 1) return 0;
  const auto id = program.outputs_of(record)[0];
  const auto bytes = byte_count(program[id].type, program.shape(id));
  return bytes > 0 && bytes < 1 << 30 ? static_cast<std::uint64_t>(bytes) : 0;
}

/// Checks that the node has no outputs, because the subgraph runs only for its effect on states (`lite/kernels/call_once.cc`).
constexpr void infer_call_once(inference& node) {
  if (node.output_count() != 0) return node.fail({"the operator has no outputs, the node has ", node.output_count()});
}

/// Definitions of operators on resource variables, circular buffers, hash tables and random number generators. All of these definitions set
/// `keeps_state`, also for an operator that only reads a state, so that passes keep the nodes of this operator.
inline constexpr operator_definition stateful[] = {
    {.name = "tfl.var_handle", .keeps_state = true},
    {.name = "tfl.read_variable", .operands = handle_operands, .keeps_state = true},
    {.name = "tfl.assign_variable", .operands = assignment_operands, .keeps_state = true},
    {.name = "tfl.call_once", .keeps_state = true, .infer = infer_call_once},
    {.name = "tfl.custom.CIRCULAR_BUFFER",
     .operands = circular_operands,
     .keeps_state = true,
     .infer = infer_circular_buffer,
     .hidden_state = state_of_circular_buffer},
    {.name = "tfl.hashtable", .keeps_state = true},
    {.name = "tfl.hashtable_import", .keeps_state = true},
    {.name = "tfl.hashtable_find", .keeps_state = true},
    {.name = "tfl.hashtable_size", .operands = handle_operands, .keeps_state = true},
    {.name = "tfl.multinomial", .keeps_state = true},
    {.name = "tfl.random_standard_normal", .keeps_state = true},
    {.name = "tfl.random_uniform", .keeps_state = true},
};

}  // namespace baton::definitions
