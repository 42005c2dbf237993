// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Variables that an importer had to leave behind their handles: why no kernel takes them.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>

namespace baton::portable {

namespace detail {

/// Takes none of the operators on variables, and says why: what runs keeps its variables in mutable buffers.
struct handled_variables {
  static constexpr literal_name operators[] = {"tfl.var_handle", "tfl.read_variable", "tfl.assign_variable", "tfl.call_once"};
  static constexpr auto supports(const program_view&, const node& record) -> verdict {
    if (!is_among(record.op, operators)) return refuse();
    return refuse(
        "a variable of this model is no mutable buffer: a graph is handed its handle, or reads it behind a call that writes it, or "
        "call_once computes it");
  }
  template <class Call>
  static void run(const Call&) {}
};
static_assert(kernel<handled_variables>);

}  // namespace detail

}  // namespace baton::portable
