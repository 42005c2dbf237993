// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The first failure among several static programs (programs that are compile-time constants).
#pragma once

#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>

namespace baton {

/// Returns the failure of the first static program that has a failure, or an empty failure if no program has one.
template <class... Programs>
constexpr auto first_failure() -> static_failure {
  static_failure first;
  static_cast<void>(((first = detail::outcome_constant<typename Programs::stage_type>.why, first.is_set) || ...));
  return first;
}

}  // namespace baton
