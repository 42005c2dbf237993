// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The proposals of kernels and backends to store values inside other values or in scratch, so that nothing is copied.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/plan/detail/kernel_choices.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/storage_map.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Proposes to store the values `subviews` contiguously inside the value `whole`. The first subview is at `offset`, in bytes. Subviews
/// without elements are skipped.
constexpr void propose_subviews(vector<storage_proposal>& proposed, const program_view& program, node_id n, span<const value_id> subviews,
                                value_id whole, std::int64_t offset) {
  if (whole == none<value_id>) return;
  for (const auto subview : subviews) {
    if (subview == none<value_id>) continue;
    const auto bytes = byte_count(program[subview].type, program.shape(subview));
    if (bytes == 0) continue;
    proposed.push_back({n, subview, {container::value, storage_reason::subview, index(whole), static_cast<std::uint64_t>(offset)}});
    offset += bytes;
  }
}

/// Returns the proposals of the root's kernels. Proposals to store outputs inside an operand are first, in schedule order. Proposals to
/// store operands inside an output follow, in reverse schedule order. In this order, a value that is stored inside another value is placed
/// before its own subviews.
constexpr auto proposals_of_kernels(const program_view& program, span<const chosen_kernel> chosen, const schedule& order)
    -> vector<storage_proposal> {
  vector<storage_proposal> proposed;
  const auto nodes = span<const node_id>{order.nodes}.first(program.root().nodes.size);
  const auto layout_of = [&](node_id n) -> const kernel_facts::subview_layout& { return chosen[index(n)].facts.subviews; };
  for (const auto n : nodes) {
    const auto& layout = layout_of(n);
    if (layout.offset == kernel_facts::subview_layout::none || layout.whole_operand == npos) continue;
    propose_subviews(proposed, program, n, program.outputs_of(program[n]), program.inputs(program[n])[layout.whole_operand], layout.offset);
  }
  for (auto i = nodes.size(); i-- > 0;) {
    const auto n = nodes[i];
    const auto& layout = layout_of(n);
    if (layout.offset == kernel_facts::subview_layout::none || layout.whole_operand != npos) continue;
    propose_subviews(proposed, program, n, program.inputs(program[n]), program.outputs_of(program[n])[0], layout.offset);
  }
  return proposed;
}

/// Returns the proposals of the backends of the root's delegates. Proposals to store arguments in scratch are first, in schedule order.
/// Proposals to store results in scratch follow, also in schedule order.
constexpr auto proposals_of_backends(const program_view& program, const backend_needs& needs, const schedule& order)
    -> vector<storage_proposal> {
  vector<storage_proposal> proposed;
  if (needs.preferred_offsets.empty()) return proposed;
  for (const bool is_input : {true, false}) {
    for (const auto n : span<const node_id>{order.nodes}.first(program.root().nodes.size)) {
      const auto& record = program[n];
      if (record.delegate == none<delegate_id> || needs.runs_original[index(record.delegate)] != 0) continue;
      const auto& preferred = needs.preferred_offsets[index(record.delegate)];
      const auto& offsets = is_input ? preferred.inputs : preferred.outputs;
      const auto values = is_input ? program.inputs(record) : program.outputs_of(record);
      for (std::size_t i = 0; i < values.size() && i < offsets.size(); ++i) {
        if (offsets[i] < 0 || values[i] == none<value_id>) continue;
        proposed.push_back(
            {n, values[i], {container::scratch, storage_reason::in_scratch, index(n), static_cast<std::uint64_t>(offsets[i])}});
      }
    }
  }
  return proposed;
}

}  // namespace baton::detail
