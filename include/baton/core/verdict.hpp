// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A yes, or a no with its reason: what a kernel or an operator support says of a node.
#pragma once

#include <baton/core/error.hpp>

namespace baton {

/// Whether a node is taken, and why not. A no without a reason means "not an operator of mine". GCC 12 cannot choose between two of them
/// with `?:` in a constant; write `if`.
struct verdict {
  bool accepted = false;
  text_buffer reason{};

  constexpr explicit operator bool() const { return accepted; }
};

constexpr auto accept() -> verdict { return {true, {}}; }

/// A no; the reason is made of text and numbers.
template <class... Parts>
constexpr auto refuse(Parts... reason) -> verdict {
  return {false, join(reason...)};
}

}  // namespace baton
