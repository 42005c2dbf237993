// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that have nothing to compute, because their outputs have no elements.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/find_definition.hpp>

#include <cstdint>

namespace baton::portable {

namespace detail {

/// Computes nodes of every operator that has a rule of inference and keeps no state, if each output has a dimension of size 0. Other
/// kernels refuse such outputs, so it is the last of the list.
struct empty_outputs : described_kernel<empty_outputs> {
  static constexpr span<const literal_name> operators{};  ///< none by name

  static constexpr auto supports(const program_view& program, const node& record) -> verdict { return describe(program, record).found; }
  /// The plan is a number without meaning.
  static constexpr auto describe(const program_view& program, const node& record) -> description<std::int32_t> {
    for (const auto id : program.outputs_of(record)) {
      if (index(id) >= program.values.size() || element_count(program.shape(id)) != 0) return {refuse()};
    }
    const auto& definition = find_definition(program, record);
    if (record.outputs.size == 0 || definition.infer == nullptr || definition.keeps_state || definition.flow != control_flow::none) {
      return {refuse()};
    }
    node_check check{program, record};
    check.conforms(record.outputs.size);
    if (!check.ok()) return {refuse()};  // why not, the kernel of the operator says
    return {accept()};
  }
  static void compute(std::int32_t, const node_memory&) {}
};
static_assert(kernel<empty_outputs>);

}  // namespace detail

}  // namespace baton::portable
