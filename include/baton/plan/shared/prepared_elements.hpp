// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The constants that kernels prepare at compile time (`prepare`), such as packed weights and tables. Each node has at most one prepared
// constant, in read-only memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/plan/detail/equal_prepared.hpp>
#include <baton/plan/detail/prepared_source.hpp>
#include <baton/plan/shared/stored_constant.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

/// Returns the constant that a kernel prepares for node `Index` of a static program, or an empty span if the kernel prepares none. Nodes
/// share one copy if their prepared constants are equal. Two nodes are compared only if they have the same operator, and their largest
/// constant operands are equal. Nodes without constant operands are compared only if their operands and outputs have the same types. At
/// most 8 earlier nodes are compared with a node. `Sharers` is the list of programs whose nodes share copies, by default the methods that
/// were lowered together with `Program`.
template <class Program, class Kernel, std::uint32_t Index, class Sharers = detail::constant_sharers<Program>>
constexpr auto prepared_for() {
  if constexpr (!preparing_kernel<Kernel>) {
    return std::span<const char, 0>{};
  } else {
    constexpr auto size = detail::prepared_source<Program, Kernel, Index>::blocks.size();
    return std::span<const prepared_element_of<Kernel>, size>{
        detail::stored_prepared<Program, Kernel, Index, Sharers>::template elements<0>()};
  }
}

/// Prepares the constant of a node at run time. Each call of `Kernel::prepare` prepares at most `blocks_per_call` blocks
/// (`kernel_facts::prepared_blocks`); 0 means all blocks in one call.
template <preparing_kernel Kernel>
constexpr auto prepare_node(const program_view& program, const node& record, std::size_t blocks_per_call = 0)
    -> vector<prepared_element_of<Kernel>> {
  using element = prepared_element_of<Kernel>;
  const auto prepared = Kernel::describe(program, record).facts.prepared;
  vector<element> elements(prepared.size(), element{});
  const auto step = blocks_per_call == 0 ? prepared.blocks : blocks_per_call;
  for (std::size_t first = 0; first < prepared.blocks; first += step) {
    const auto blocks = std::min(step, prepared.blocks - first);
    Kernel::prepare(program, record, first, span<element>{elements.data() + first * prepared.elements, blocks * prepared.elements});
  }
  return elements;
}

}  // namespace baton
