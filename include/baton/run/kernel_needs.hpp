// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What kernels ask of memory, said as functions of the node: how near to their output an operand may lie.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/lifetime.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/run/kernel.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// Whether a kernel's output may lie on an operand that nothing reads later: `static constexpr auto distance_of(const
/// baton::program_view&, const baton::node&, std::size_t operand) -> baton::least_distance`, asked of operands of nodes with one output. A
/// policy may then place them so near, and `run` must write in the order that `call.order()` says. Law: at the distance that it says, in
/// that order, it reads nothing that it has written over.
template <class Kernel>
concept overlapping_kernel = requires(const program_view& program, const node& record, std::size_t operand) {
  { Kernel::distance_of(program, record, operand) } -> std::same_as<least_distance>;
};

/// What the kernels of a program's nodes ask for. Empty: nothing.
struct kernel_needs {
  vector<declared_distance> distances;  ///< by ascending nodes
};

namespace detail {

using distance_function = least_distance (*)(const program_view&, const node&, std::size_t);

template <class Kernel>
constexpr auto distance_function_of() -> distance_function {
  if constexpr (overlapping_kernel<Kernel>) {
    return Kernel::distance_of;
  } else {
    return nullptr;
  }
}

}  // namespace detail

/// What the kernels of a list ask for; `chosen` is `execution_plan::kernels`.
template <class... Kernels>
constexpr auto needs_of_kernels(kernel_list<Kernels...>, const program_view& program, std::span<const std::uint32_t> chosen)
    -> kernel_needs {
  kernel_needs needs;
  if constexpr ((overlapping_kernel<Kernels> || ...)) {
    constexpr std::array<detail::distance_function, sizeof...(Kernels)> distance_of{detail::distance_function_of<Kernels>()...};
    for (std::uint32_t n = 0; n < chosen.size(); ++n) {
      if (chosen[n] >= sizeof...(Kernels) || distance_of[chosen[n]] == nullptr || program.nodes[n].outputs.size != 1) continue;
      const auto& record = program.nodes[n];
      const auto inputs = program.inputs(record);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] == none<value_id>) continue;
        const auto least = distance_of[chosen[n]](program, record, i);
        if (least != least_distance{}) needs.distances.push_back({n, inputs[i], program.outputs_of(record)[0], least});
      }
    }
  }
  return needs;
}

}  // namespace baton
