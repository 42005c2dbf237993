// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The user inputs and user outputs of a graph.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// Returns the user inputs of a graph: the placeholders that its caller passes. Parameters, buffers and constants are not included.
constexpr auto user_inputs_of(const program_view& program, graph_id id) -> vector<value_id> {
  vector<value_id> inputs;
  for (const auto input : program.inputs(program[id])) {
    if (program[input].kind == value_kind::user_input) inputs.push_back(input);
  }
  return inputs;
}

/// Returns the user outputs of a graph: the values that its caller receives. Mutations are not included.
constexpr auto user_outputs_of(const program_view& program, graph_id id) -> vector<value_id> {
  vector<value_id> outputs;
  for (const auto& spec : program.outputs_of(program[id])) {
    if (spec.kind == output_kind::user_output) outputs.push_back(spec.value);
  }
  return outputs;
}

}  // namespace baton
