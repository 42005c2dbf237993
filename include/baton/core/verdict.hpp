// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The verdict of a kernel or an operator support: whether a node is supported, and the reason if it is not.
#pragma once

#include <baton/core/error.hpp>

namespace baton {

/// Whether a node is supported, and the reason if it is not. A refusal without a reason means that the kernel or operator support does not
/// know the operator. GCC 12 cannot choose between two verdicts with `?:` in a constant expression; use `if`.
struct verdict {
  bool accepted = false;
  text_buffer reason{};

  constexpr explicit operator bool() const { return accepted; }
};

/// Returns the verdict that the node is supported.
constexpr auto accept() -> verdict { return {true, {}}; }

/// Returns a refusal. The reason is a concatenation of texts and integers.
template <class... Parts>
constexpr auto refuse(Parts... reason) -> verdict {
  return {false, failure::join_reason({reason...})};
}

}  // namespace baton
