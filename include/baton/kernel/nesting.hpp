// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which values of a node may lie inside which.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// Which operands of a node may lie inside its only output, or which outputs inside one of its operands, so that nothing is copied.
struct nesting {
  static constexpr std::int64_t nowhere = -1;

  vector<std::int64_t> offsets{};    ///< by operand, or by output: the byte at which it begins, or `nowhere`; empty: none may
  std::size_t whole_operand = npos;  ///< the operand that outputs lie in; `npos`: operands lie in the output
};

}  // namespace baton
