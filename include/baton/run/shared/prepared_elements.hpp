// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel has prepared of a node in the compiler: packed weights, tables; one constant a node, in read-only memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/run/kernel_answers.hpp>
#include <baton/run/shared/kernel_members.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton {

namespace detail {

/// How many elements are made within one constant: whole blocks, and one at least.
template <class T>
constexpr auto prepared_at_once(const prepared_blocks<T>& size) -> std::size_t {
  const auto blocks = size.at_once != 0 || size.elements == 0 ? size.at_once : 32768 / size.elements;
  return std::max<std::size_t>(1, blocks) * std::max<std::size_t>(1, size.elements);
}

template <class Program, class Kernel, std::uint32_t Index>
struct prepared_source {
  using element = prepared_element_of<Kernel>;

  /// A constant, since a kernel may read its weights to say it.
  static constexpr prepared_blocks<element> size = Kernel::prepared_size(program_view(Program::value()), Program::value().nodes[Index]);

  static constexpr void copy(std::size_t first, span<element> to) {
    if (!to.empty()) Kernel::prepare(program_view(Program::value()), Program::value().nodes[Index], first / size.elements, to);
  }
};

template <class Program, class Kernel, std::uint32_t Index>
alignas(std::max<std::size_t>(4, alignof(prepared_element_of<Kernel>))) inline constexpr auto prepared_elements =
    joined_array<prepared_element_of<Kernel>, prepared_source<Program, Kernel, Index>, prepared_source<Program, Kernel, Index>::size.size(),
                 prepared_at_once(prepared_source<Program, Kernel, Index>::size)>();

}  // namespace detail

/// What a kernel has prepared of a node of a static program; of a kernel that prepares nothing, nothing.
template <class Program, class Kernel, std::uint32_t Index>
constexpr auto prepared_for() {
  if constexpr (!preparing_kernel<Kernel>) {
    return std::span<const char, 0>{};
  } else {
    constexpr auto size = detail::prepared_source<Program, Kernel, Index>::size.size();
    return std::span<const detail::prepared_element_of<Kernel>, size>{detail::prepared_elements<Program, Kernel, Index>};
  }
}

/// The same at run time: what a kernel prepares of a node, so many blocks at once; 0: all.
template <preparing_kernel Kernel>
constexpr auto prepare_node(const program_view& program, const node& record, std::size_t at_once = 0)
    -> vector<detail::prepared_element_of<Kernel>> {
  using element = detail::prepared_element_of<Kernel>;
  const auto size = Kernel::prepared_size(program, record);
  vector<element> made(size.size(), element{});
  const auto step = at_once == 0 ? size.blocks : at_once;
  for (std::size_t first = 0; first < size.blocks; first += step) {
    const auto blocks = std::min(step, size.blocks - first);
    Kernel::prepare(program, record, first, span<element>{made.data() + first * size.elements, blocks * size.elements});
  }
  return made;
}

}  // namespace baton
