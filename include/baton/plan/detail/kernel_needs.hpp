// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory that the kernels of a program need, and the distances that the kernels declare. A distance states how far an operand and an
// output may overlap (see `min_distance`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/detail/kernel_choices.hpp>
#include <baton/plan/shared/lifetime.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The memory needs of the kernels of a program.
struct kernel_needs {
  vector<std::uint32_t> scratch_bytes;  ///< indexed by node; empty if no kernel needs scratch
  std::uint32_t overread_bytes = 0;     ///< the maximum over all kernels
  vector<declared_distance> distances;  ///< sorted by node
};

/// Adds the distances between the outputs of node `n` and its operands. If the node uses a value as several operands, distances for this
/// value are added only if each of these operands has a distance.
constexpr void add_distances(vector<declared_distance>& distances, const kernel_facts& facts, const program_view& program,
                             std::uint32_t n) {
  const auto inputs = program.inputs(program.nodes[n]);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& distance = facts.operand(i).distance;
    if (inputs[i] == none<value_id> || distance == min_distance{}) continue;
    bool may_overlap = true;
    for (std::size_t j = 0; may_overlap && j < inputs.size(); ++j) {
      may_overlap = j == i || inputs[j] != inputs[i] || facts.operand(j).distance != min_distance{};
    }
    if (!may_overlap) continue;
    for (const auto output : program.outputs_of(program.nodes[n])) distances.push_back({n, inputs[i], output, distance});
  }
}

/// Returns the needs of the chosen kernels. Distances are omitted if `ignores_distances` is true.
constexpr auto needs_of_kernels(const program_view& program, span<const chosen_kernel> chosen, bool ignores_distances = false)
    -> kernel_needs {
  kernel_needs needs;
  for (std::uint32_t n = 0; n < chosen.size(); ++n) {
    const auto& facts = chosen[n].facts;
    if (facts.scratch_bytes != 0) {
      if (needs.scratch_bytes.empty()) needs.scratch_bytes.assign(chosen.size(), std::uint32_t{0});
      needs.scratch_bytes[n] = facts.scratch_bytes;
    }
    needs.overread_bytes = std::max(needs.overread_bytes, facts.overread_bytes);
    if (!ignores_distances) add_distances(needs.distances, facts, program, n);
  }
  return needs;
}

}  // namespace baton::detail
