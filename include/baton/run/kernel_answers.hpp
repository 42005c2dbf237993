// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel answers when it is asked what it prepares, and what may lie inside what.
#pragma once

#include <baton/core/npos.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

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

/// Which operands of a node may lie inside its only output, or which outputs inside one of its operands, so that nothing is copied.
struct nesting {
  static constexpr std::int64_t nowhere = -1;

  vector<std::int64_t> offsets{};    ///< by operand, or by output: the byte at which it begins, or `nowhere`; empty: none may
  std::size_t whole_operand = npos;  ///< the operand that outputs lie in; `npos`: operands lie in the output
};

}  // namespace baton
