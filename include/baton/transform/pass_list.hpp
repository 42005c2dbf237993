// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Passes one after the other, each checked: a list of passes is a pass.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/shared/rules.hpp>

#include <string_view>

namespace baton {

namespace detail {

/// What a pass makes, not looked at. Errors: the pass's own, with its name.
template <pass Pass>
constexpr auto run_unchecked(const program_view& program) -> result<exported_program> {
  result<exported_program> made{Pass::run(program)};
  if (made) return made;
  made.error.reason = join("pass ", Pass::name, made.error.reason.empty() ? "" : ": ", baton::view(made.error.reason));
  made.value = {};
  return made;
}

/// What is wrong with what a pass made: `broken_by_pass`, or nothing.
template <pass Pass>
constexpr auto flaw_left_by(const program_view& made) -> failure {
  auto why = verify(made);
  if (!why) return why;
  why.reason = join("pass ", Pass::name, ": ", why.rule_name, why.reason.empty() ? "" : ", ", baton::view(why.reason));
  const auto by_pass = broken<"broken_by_pass">();
  why.rule = by_pass.rule;
  why.rule_name = by_pass.rule_name;
  return why;
}

/// What passes make one after the other, each looked at.
template <class First, class... Rest>
constexpr auto run_all(const program_view& program) -> result<exported_program> {
  auto made = run_unchecked<First>(program);
  if (!made) return made;
  if (auto why = flaw_left_by<First>(made.value)) return why;
  if constexpr (sizeof...(Rest) == 0) {
    return made;
  } else {
    return run_all<Rest...>(made.value);
  }
}

}  // namespace detail

/// A list of passes, of which each takes what the one before it made. It is a pass, so a list may be an item of another. `is_sound` is
/// false after a mistake in it has been reported.
template <class... Passes>
struct pass_list {
  static constexpr bool is_sound = (detail::require_pass<Passes>() && ...);
  static_assert(is_sound || true);  // asks at once, and lets what was said stand alone
  static constexpr std::string_view name = "passes";

  /// Runs all of them; the first failure ends it. Errors: those of `verify` for the program given, the passes' own with the pass's name in
  /// the reason, `broken_by_pass`.
  static constexpr auto run(const program_view& program) -> result<exported_program> {
    if (auto why = verify(program)) return why;
    if constexpr (is_sound && sizeof...(Passes) != 0) {
      return detail::run_all<Passes...>(program);
    } else {
      return thaw(program);
    }
  }
};

/// The passes to run, in this order: `baton::transform(model, baton::passes<baton::fold_constants, my_pass>)`.
template <class... Passes>
inline constexpr pass_list<Passes...> passes{};

}  // namespace baton
