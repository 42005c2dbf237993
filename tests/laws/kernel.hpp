// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The laws of kernels, for every kernel: `supports` depends on the node alone, and says why not where it knows the operator.
#pragma once

#include <baton/run/kernel.hpp>

namespace baton::laws {

/// The same node gets the same answer, also in a copy of the program.
template <kernel Kernel>
constexpr auto supports_is_stable(const program_view& program) -> bool {
  const auto copy = thaw(program);
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    const auto first = Kernel::supports(program, program.nodes[n]);
    const auto again = Kernel::supports(copy, copy.nodes[n]);
    if (first.accepted != again.accepted || first.reason != again.reason) return false;
  }
  return true;
}

/// A yes has no reason.
template <kernel Kernel>
constexpr auto a_yes_needs_no_reason(const program_view& program) -> bool {
  for (const auto& node : program.nodes) {
    const auto answer = Kernel::supports(program, node);
    if (answer.accepted && !answer.reason.empty()) return false;
  }
  return true;
}

}  // namespace baton::laws
