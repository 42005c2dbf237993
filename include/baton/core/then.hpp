// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Applies a step to a static program. The result is a static program with the same backends.
#pragma once

#include <baton/core/shared/stage.hpp>
#include <baton/core/static_program.hpp>

#include <type_traits>

namespace baton {

/// Returns the static program that a step computes from another static program: `constexpr auto named = baton::then(lowered, [](const
/// baton::program_view& program) { ... });`. The step returns an `exported_program` or a `result` of one. The result has the backends of
/// the first program. In contrast, `baton::static_program{[] { ... baton::thaw(lowered.value()) ... }}` has no backends, so an executor
/// finds no backends for the delegates of this program.
template <class Stage, class Step>
constexpr auto then(static_program<Stage>, Step) {
  static_assert(std::is_empty_v<Step>, "baton then: the step has state; pass a lambda without captures");
  if constexpr (std::is_empty_v<Step>) {
    return static_program<stage<Step, static_program<Stage>>>{};
  } else {
    return static_program<Stage>{};
  }
}

}  // namespace baton
