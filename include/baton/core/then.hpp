// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of the compiler one after the other: what a step makes of them is one again, and takes their backends along.
#pragma once

#include <baton/core/shared/stage.hpp>
#include <baton/core/static_program.hpp>

#include <type_traits>

namespace baton {

/// What a step makes of a program of the compiler: `constexpr auto named = baton::then(lowered, [](const baton::program_view& program) {
/// ... });`. It returns an `exported_program` or a `result` of one. The backends of the program go along, which a lambda around it would
/// lose: `baton::static_program{[] { ... baton::thaw(lowered.value()) ... }}` has delegates that no executor finds backends for.
template <class Make, class Step>
constexpr auto then(static_program<Make>, Step) {
  static_assert(std::is_empty_v<Step>, "baton then: a step has state; pass a lambda without captures");
  if constexpr (std::is_empty_v<Step>) {
    return static_program<stage<Step, static_program<Make>>>{};
  } else {
    return static_program<Make>{};
  }
}

}  // namespace baton
