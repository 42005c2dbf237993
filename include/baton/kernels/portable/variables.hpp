// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reports why no kernel supports variables that the importer could not convert to mutable buffers.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>

#include <string_view>

namespace baton::portable {

namespace detail {

/// Returns the first `tfl.read_variable` that precedes a `tfl.call_once` in the same graph, or null if there is none.
constexpr auto early_read(const program_view& program) -> const node* {
  for (const auto& called : program.graphs) {
    const node* read = nullptr;
    for (const auto& record : program.nodes_of(called)) {
      if (read == nullptr && record.is("tfl.read_variable")) read = &record;
      if (read != nullptr && record.is("tfl.call_once")) return read;
    }
  }
  return nullptr;
}

/// Returns the name of the variable of a handle.
constexpr auto variable_name(const program_view& program, value_id handle) -> std::string_view {
  const auto producer = producer_of(program, handle);
  if (producer == none<node_id> || !program[producer].is("tfl.var_handle")) return program.text(program[handle].name);
  return program.text(program[producer], "shared_name");
}

/// A kernel that supports none of the operators on variables, and reports the reason: at run time, variables must be mutable buffers.
struct handled_variables {
  static constexpr literal_name operators[] = {"tfl.var_handle", "tfl.read_variable", "tfl.assign_variable", "tfl.call_once"};
  static constexpr auto describe(const program_view& program, const node&) -> node_description<> {
    if (const auto* read = early_read(program); read != nullptr && program.inputs(*read).size() == 1) {
      return {refuse("the variable ", variable_name(program, program.inputs(*read)[0]),
                     " is read before call_once sets its initial value; in the file, move call_once before all reads")};
    }
    return {
        refuse("a variable of this model is not a mutable buffer: its handle is passed to a graph, a graph reads it after a call that "
               "writes it, or call_once computes it")};
  }
  static void compute(const no_plan&, const node_memory&) {}
};
static_assert(kernel<handled_variables>);

}  // namespace detail

}  // namespace baton::portable
