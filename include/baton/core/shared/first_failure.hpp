// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What went wrong first among several programs of the compiler.
#pragma once

#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>

namespace baton {

/// What kept the first of some static programs from being made that could not be made.
template <class... Programs>
constexpr auto first_failure() -> static_failure {
  static_failure first;
  static_cast<void>(((first = detail::outcome_constant<typename Programs::make>.why, first.broken) || ...));
  return first;
}

}  // namespace baton
