// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The constant that a kernel prepares for a node, such as packed weights. A large constant exceeds the compilers' limits for one constant
// expression. Therefore the constant is computed in pieces, and the pieces are joined.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Returns the number of elements that one constant expression computes. The number is a multiple of the block size, and at least one
/// block. A block is the smallest number of elements that one call of `prepare` computes (see `kernel_facts::prepared_blocks`).
constexpr auto elements_per_constant(const kernel_facts::prepared_blocks& size) -> std::size_t {
  const auto blocks = size.blocks_per_constant != 0 || size.elements == 0 ? size.blocks_per_constant : 32768 / size.elements;
  return std::max<std::size_t>(1, blocks) * std::max<std::size_t>(1, size.elements);
}

/// The source of `joined_array`: calls `Kernel::prepare` for node `Index`.
template <class Program, class Kernel, std::uint32_t Index>
struct prepared_source {
  using element = prepared_element_of<Kernel>;

  static constexpr kernel_facts::prepared_blocks blocks = described<Kernel, Program, Index>.facts.prepared;

  static constexpr void copy(std::size_t first, span<element> to) {
    if (!to.empty()) Kernel::prepare(static_view<Program>, static_view<Program>.nodes[Index], first / blocks.elements, to);
  }
};

/// The prepared constant of node `Index`.
template <class Program, class Kernel, std::uint32_t Index>
alignas(std::max<std::size_t>(4, alignof(prepared_element_of<Kernel>))) inline constexpr auto prepared_elements = joined_array<
    prepared_element_of<Kernel>, prepared_source<Program, Kernel, Index>, prepared_source<Program, Kernel, Index>::blocks.size(),
    elements_per_constant(prepared_source<Program, Kernel, Index>::blocks)>();

}  // namespace baton::detail
