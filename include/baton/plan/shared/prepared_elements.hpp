// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel has prepared of a node in the compiler: packed weights, tables; one constant a node, in read-only memory.
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

/// What a kernel has prepared of a node of a static program; of a kernel that prepares nothing, nothing. Where nodes of one operator make
/// equal constants of the same weights, in the program or in the methods that were lowered with it (`Sharers`), they have one together.
template <class Program, class Kernel, std::uint32_t Index, class Sharers = detail::constant_sharers<Program>>
constexpr auto prepared_for() {
  if constexpr (!preparing_kernel<Kernel>) {
    return std::span<const char, 0>{};
  } else {
    constexpr auto size = detail::prepared_source<Program, Kernel, Index>::size.size();
    return std::span<const prepared_element_of<Kernel>, size>{
        detail::stored_prepared<Program, Kernel, Index, Sharers>::template elements<0>()};
  }
}

/// The same at run time: what a kernel prepares of a node, so many blocks at once; 0: all.
template <preparing_kernel Kernel>
constexpr auto prepare_node(const program_view& program, const node& record, std::size_t at_once = 0)
    -> vector<prepared_element_of<Kernel>> {
  using element = prepared_element_of<Kernel>;
  const auto size = Kernel::describe(program, record).facts.prepared;
  vector<element> made(size.size(), element{});
  const auto step = at_once == 0 ? size.blocks : at_once;
  for (std::size_t first = 0; first < size.blocks; first += step) {
    const auto blocks = std::min(step, size.blocks - first);
    Kernel::prepare(program, record, first, span<element>{made.data() + first * size.elements, blocks * size.elements});
  }
  return made;
}

}  // namespace baton
