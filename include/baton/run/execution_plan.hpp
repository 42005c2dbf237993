// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of an execution: which kernel computes each node, and where each value lies.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/plan/arena.hpp>
#include <baton/run/kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace baton {

/// Whether a kernel hands its first operand on unchanged, so that its output can share the operand's memory: `static constexpr bool
/// forwards_input = true;`. Such a kernel copies only where the two addresses differ.
template <class Kernel>
concept forwarding_kernel = requires { requires Kernel::forwards_input; };

/// What an executor does with a program, and where: one entry a node of the root graph, and the memory plan.
struct execution_plan {
  std::vector<std::uint32_t> kernels;  ///< by node: its kernel's place in the list; of a delegate call: the list's size
  memory_plan memory;
};

namespace detail {

/// The kernel of each node of the root graph; the failure of the first node that has none, or lacks constant data.
template <class... Kernels>
constexpr auto choose_kernels(kernel_list<Kernels...> list, const program_view& program) -> result<std::vector<std::uint32_t>> {
  std::vector<std::uint32_t> chosen;
  if (program.graphs.empty()) return chosen;
  const auto run = program.root().nodes;
  for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
    const auto& record = program.nodes[n];
    for (const auto input : program.inputs(record)) {
      if (input == none<value_id> || needs_memory(program[input]) || program[input].data.size != 0) continue;
      return broken_at<rule::malformed_data>(program, static_cast<node_id>(n), program.text(program[input].name), " has no data");
    }
    if (record.delegate != none<delegate_id>) {
      chosen.push_back(sizeof...(Kernels));
      continue;
    }
    auto choice = choose_kernel(list, program, record);
    if (!choice.found) {
      auto why = broken_at<rule::missing_kernel>(program, static_cast<node_id>(n));
      why.reason = std::move(choice.found.reason);
      return why;
    }
    chosen.push_back(static_cast<std::uint32_t>(choice.index));
  }
  return chosen;
}

}  // namespace detail

/// By value, the value whose memory it shares: the outputs of forwarding kernels. `chosen`
/// is `execution_plan::kernels`.
template <class... Kernels>
constexpr auto shared_storage(kernel_list<Kernels...>, const program_view& program, std::span<const std::uint32_t> chosen)
    -> std::vector<value_id> {
  constexpr std::array<bool, sizeof...(Kernels) + 1> forwards{forwarding_kernel<Kernels>..., false};
  std::vector<value_id> storage(program.values.size(), none<value_id>);
  for (std::uint32_t n = 0; n < chosen.size(); ++n) {
    if (!forwards[chosen[n]]) continue;
    const auto& record = program.nodes[program.root().nodes.first + n];
    const auto from = program.inputs(record)[0];
    if (!detail::needs_memory(program[from])) continue;
    storage[index(program.outputs_of(record)[0])] = storage[index(from)] == none<value_id> ? from : storage[index(from)];
  }
  return storage;
}

/// Plans an execution with a list of kernels. Errors: `missing_kernel`, `malformed_data` (a constant without data), `dynamic_shape`,
/// `overlapping_memory`.
template <class... Kernels>
constexpr auto plan_execution(kernel_list<Kernels...> list, const program_view& program, const plan_options& options = {})
    -> result<execution_plan> {
  auto chosen = detail::choose_kernels(list, program);
  if (!chosen) return chosen.error;
  auto memory = plan_memory(program, options, shared_storage(list, program, chosen.value));
  if (!memory) return memory.error;
  if (auto why = verify_plan(memory.value)) return why;
  return execution_plan{std::move(chosen.value), std::move(memory.value)};
}

}  // namespace baton
