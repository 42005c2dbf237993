// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes a static program from another static program, and keeps the list of backends.
#pragma once

#include <baton/core/shared/stage.hpp>
#include <baton/core/static_program.hpp>

#include <type_traits>

namespace baton {

/// Returns the static program that the callable `Step` computes from another static program: `constexpr auto named = baton::then(lowered,
/// [](const baton::program_view& program) { ... });`. `Step` returns an `exported_program` or a `result<exported_program>`. The returned
/// static program has the backends of the given static program. In contrast, `baton::static_program{[] { ... baton::thaw(lowered.value())
/// ... }}` has an empty list of backends, so an executor cannot find the backends of its delegates.
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
