// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reports why no kernel supports variables that the importer could not convert to mutable buffers.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>

namespace baton::portable {

namespace detail {

/// A kernel that supports none of the operators on variables, and reports the reason: at run time, variables must be mutable buffers.
struct handled_variables {
  static constexpr literal_name operators[] = {"tfl.var_handle", "tfl.read_variable", "tfl.assign_variable", "tfl.call_once"};
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    return {
        refuse("a variable of this model is not a mutable buffer: its handle is passed to a graph, a graph reads it after a call that "
               "writes it, or call_once computes it")};
  }
  static void compute(const no_plan&, const node_memory&) {}
};
static_assert(kernel<handled_variables>);

}  // namespace detail

}  // namespace baton::portable
