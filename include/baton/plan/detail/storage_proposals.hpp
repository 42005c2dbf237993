// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What kernels and backends would have lie in something else, so that nothing is copied.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/nesting.hpp>
#include <baton/kernel/shared/kernel_members.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/storage_map.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

template <class Kernel>
constexpr auto nesting_question() -> nesting (*)(const program_view&, const node&) {
  if constexpr (nesting_kernel<Kernel>) return Kernel::nesting_of;
  return nullptr;
}

/// The parts that kernels of the root would have inside a whole: outputs inside an operand, in the order of the schedule, then operands
/// inside the output, backwards, so that joints inside joints know where they lie. `chosen` is `execution_plan::kernels`.
template <class... Kernels>
constexpr auto proposals_of_kernels(kernel_list<Kernels...>, const program_view& program, span<const std::uint32_t> chosen,
                                    const schedule& order) -> vector<storage_proposal> {
  vector<storage_proposal> proposed;
  if constexpr ((nesting_kernel<Kernels> || ...)) {
    constexpr std::array asked{nesting_question<Kernels>()...};
    vector<std::pair<node_id, nesting>> found;
    for (const auto n : span<const node_id>{order.nodes}.first(program.root().nodes.size)) {
      const auto kernel = chosen[index(n)];
      if (kernel >= asked.size() || asked[kernel] == nullptr) continue;
      auto of = asked[kernel](program, program[n]);
      if (!of.offsets.empty()) found.emplace_back(n, std::move(of));
    }
    const auto propose = [&](node_id n, value_id id, value_id whole, std::int64_t offset) {
      if (id == none<value_id> || whole == none<value_id> || offset < 0) return;
      proposed.push_back({n, id, {container::value, storage_reason::part, index(whole), static_cast<std::uint64_t>(offset)}});
    };
    for (const auto& [n, of] : found) {
      if (of.whole_operand == npos) continue;
      const auto outputs = program.outputs_of(program[n]);
      for (std::size_t i = 0; i < of.offsets.size(); ++i)
        propose(n, outputs[i], program.inputs(program[n])[of.whole_operand], of.offsets[i]);
    }
    for (auto at = found.size(); at-- > 0;) {
      const auto& [n, of] = found[at];
      if (of.whole_operand != npos) continue;
      const auto inputs = program.inputs(program[n]);
      for (std::size_t i = 0; i < of.offsets.size(); ++i) propose(n, inputs[i], program.outputs_of(program[n])[0], of.offsets[i]);
    }
  }
  return proposed;
}

/// The arguments that the backends of the root's delegates would have in scratch, in the order of the schedule, then their results.
constexpr auto proposals_of_backends(const program_view& program, const backend_needs& needs, const schedule& order)
    -> vector<storage_proposal> {
  vector<storage_proposal> proposed;
  if (needs.places.empty()) return proposed;
  for (const bool is_input : {true, false}) {
    for (const auto n : span<const node_id>{order.nodes}.first(program.root().nodes.size)) {
      const auto& record = program[n];
      if (record.delegate == none<delegate_id> || needs.runs_original[index(record.delegate)] != 0) continue;
      const auto& places = needs.places[index(record.delegate)];
      const auto& offsets = is_input ? places.inputs : places.outputs;
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
