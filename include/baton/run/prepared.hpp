// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel prepares of a node in the compiler: packed weights, tables; one constant a node, in read-only memory.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace baton {

/// How much a kernel prepares of a node: blocks of equal size, each of which it makes in one go (the weights of two output channels, say).
/// `T` is arithmetic.
template <class T>
struct prepared_blocks {
  using element = T;

  std::size_t blocks = 0;
  std::size_t elements = 0;  ///< of one block
  /// How many blocks are made within one constant, with the compiler's default limits to themselves; 0: as many as come to 32,768 elements,
  /// which leaves 32 of Clang's steps and 1,024 of GCC's operations for each. GCC lets one loop run 262,144 times.
  std::size_t at_once = 0;

  constexpr auto size() const -> std::size_t { return blocks * elements; }
};

namespace detail {

template <class T>
inline constexpr bool are_prepared_blocks = false;
template <class T>
inline constexpr bool are_prepared_blocks<prepared_blocks<T>> = std::is_arithmetic_v<T>;

template <class Kernel>
using prepared_element_of = typename decltype(Kernel::prepared_size(std::declval<program_view>(), std::declval<node>()))::element;

}  // namespace detail

/// Whether a kernel prepares a constant for each of its nodes. It has, beside `supports` and `run`:
/// - `static constexpr auto prepared_size(const baton::program_view&, const baton::node&) -> baton::prepared_blocks<T>`
/// - `static constexpr void prepare(const baton::program_view&, const baton::node&, std::size_t first, baton::span<T> to)`: makes blocks
/// from
///   number `first` on, as many as `to` has room for; it holds zeros before.
///
/// `call.prepared()` is all of them in `run`: a span, aligned to 4 bytes at least. The compiler makes it, in as many constants as its
/// limits ask for, and joins them: on the target it is one array a node, which a linker script finds as
/// `*(.rodata._ZN5baton6detail15prepared_elementsI*)`. Law: blocks are the same, however many are made at once.
template <class Kernel>
concept preparing_kernel = requires(const program_view& program, const node& record) {
  requires detail::are_prepared_blocks<decltype(Kernel::prepared_size(program, record))>;
  { Kernel::prepare(program, record, std::size_t{0}, span<detail::prepared_element_of<Kernel>>{}) } -> std::same_as<void>;
};

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
