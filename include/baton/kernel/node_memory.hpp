// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The addresses of a node's operands, outputs and working memory.
#pragma once

#include <baton/core/span.hpp>
#include <baton/kernel/min_distance.hpp>

namespace baton {

/// The addresses of a node's values while it runs.
struct node_memory {
  const char* const* inputs;                   ///< indexed by operand; null if the operand is omitted
  char* const* outputs;                        ///< indexed by output
  span<char> scratch{};                        ///< `kernel_facts::scratch_bytes` bytes
  span<const char> prepared{};                 ///< the bytes of the constant that `prepare` has computed
  char* const* states = nullptr;               ///< indexed by operand; null if the operand is not a mutable buffer
  write_order order = write_order::ascending;  ///< the order in which each output must be written, if the kernel declares a `min_distance`;
                                               ///< otherwise without meaning
};

}  // namespace baton
