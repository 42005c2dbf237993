// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the caller of a graph gives it, and what it takes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

namespace baton {

/// The user inputs of a graph, which are what its caller gives; owned data is not among them.
constexpr auto user_inputs_of(const program_view& program, graph_id id) -> vector<value_id> {
  vector<value_id> found;
  for (const auto input : program.inputs(program[id])) {
    if (program[input].kind == value_kind::user_input) found.push_back(input);
  }
  return found;
}

/// The user outputs of a graph, which are what its caller takes.
constexpr auto user_outputs_of(const program_view& program, graph_id id) -> vector<value_id> {
  vector<value_id> found;
  for (const auto& spec : program.outputs_of(program[id])) {
    if (spec.kind == output_kind::user_output) found.push_back(spec.value);
  }
  return found;
}

}  // namespace baton
