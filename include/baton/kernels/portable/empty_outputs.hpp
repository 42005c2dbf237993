// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes whose outputs have no elements, so that nothing is computed.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/find_definition.hpp>

namespace baton::portable {

namespace detail {

/// A kernel that supports a node if each of its outputs has a dimension of size 0. The operator of the node must have a rule for type
/// inference, must not keep a state, and must not be control flow. Other kernels refuse such outputs, so this kernel is the last in the
/// list.
struct empty_outputs {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    for (const auto id : program.outputs_of(record)) {
      if (index(id) >= program.values.size() || element_count(program.shape(id)) != 0) return {refuse()};
    }
    const auto& definition = find_definition(program, record);
    if (record.outputs.size == 0 || definition.infer == nullptr || definition.keeps_state || definition.flow != control_flow::none) {
      return {refuse()};
    }
    node_check check{program, record};
    check.conforms(record.outputs.size);
    if (!check.ok()) return {refuse()};  // the operator's own kernel reports the reason
    return {accept()};
  }
  static void compute(const no_plan&, const node_memory&) {}
};
static_assert(kernel<empty_outputs>);

}  // namespace detail

}  // namespace baton::portable
