// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The static program that replaces a program after an error has been reported.
#pragma once

#include <baton/core/detail/carried_backends.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>

namespace baton {

namespace detail {

/// The callable of an invalid static program, with the backends of `Stage`. The program is empty.
template <class Stage>
struct invalid_stage {
  using backend_types = typename backends_of<Stage>::type;
  static constexpr bool stages_are_valid = false;
  constexpr auto operator()() const -> exported_program { return {}; }
};

}  // namespace detail

/// Returns an invalid program, which causes no further diagnostics. A function returns this program instead of the given one after it has
/// reported an error of the program or of another argument. If it returned the given program, the next function that uses the program would
/// report a second error.
template <class Stage>
constexpr auto invalid_program(static_program<Stage>) -> static_program<detail::invalid_stage<Stage>> {
  return {};
}

}  // namespace baton
