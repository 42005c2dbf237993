// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How much a kernel prepares of a node.
#pragma once

#include <baton/core/config.hpp>

#include <cstddef>

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

}  // namespace baton
