// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A list of passes that are applied in order. The result of each pass is verified. The list is a pass itself.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/shared/rules.hpp>

#include <string_view>

namespace baton {

namespace detail {

/// A pass that can defer the computation of constants (`byte_recipe`).
template <class T>
concept deferring_pass = pass<T> && requires(const program_view& program) { T::run(program, byte_recipe::timing::deferred); };

/// Runs `Pass` without verifying its result. If the pass fails, adds the name of the pass to the reason. `when` has an effect only if the
/// pass is a `deferring_pass`.
template <pass Pass>
constexpr auto run_unchecked(const program_view& program, byte_recipe::timing when = byte_recipe::timing::at_once)
    -> result<exported_program> {
  const auto run = [&]() -> result<exported_program> {
    if constexpr (deferring_pass<Pass>) {
      return result<exported_program>{Pass::run(program, when)};
    } else {
      return result<exported_program>{Pass::run(program)};
    }
  };
  auto rewritten = run();
  if (rewritten) return rewritten;
  rewritten.error.reason = join("pass ", Pass::name, rewritten.error.reason.empty() ? "" : ": ", baton::view(rewritten.error.reason));
  rewritten.value = {};
  return rewritten;
}

/// Verifies a result of `Pass`. Fails with `broken_by_pass` if the program is not well-formed; the reason names the pass and the broken
/// rule.
template <pass Pass>
constexpr auto check_pass_result(const program_view& rewritten) -> failure {
  auto why = verify(rewritten);
  if (!why) return why;
  why.reason = join("pass ", Pass::name, ": ", why.rule_name, why.reason.empty() ? "" : ", ", baton::view(why.reason));
  const auto by_pass = broken<"broken_by_pass">();
  why.rule = by_pass.rule;
  why.rule_name = by_pass.rule_name;
  return why;
}

/// Applies the passes in order, and verifies the result of each pass.
template <class First, class... Rest>
constexpr auto run_all(const program_view& program) -> result<exported_program> {
  auto rewritten = run_unchecked<First>(program);
  if (!rewritten) return rewritten;
  if (auto why = check_pass_result<First>(rewritten.value)) return why;
  if constexpr (sizeof...(Rest) == 0) {
    return rewritten;
  } else {
    return run_all<Rest...>(rewritten.value);
  }
}

}  // namespace detail

/// A list of passes, each applied to the result of the previous one. The list is a pass, so lists can be nested. `is_valid` is false if one
/// of `Passes` is not a pass; a compile-time error has then been reported.
template <class... Passes>
struct pass_list {
  static constexpr bool is_valid = (detail::require_pass<Passes>() && ...);
  static_assert(is_valid || true);  // instantiates `is_valid`, which reports the errors of `Passes`; never fails itself
  static constexpr std::string_view name = "passes";

  /// Applies all passes; stops at the first failure. Fails with the errors of `verify` for `program`, the errors of the passes (the reason
  /// names the pass), or `broken_by_pass`.
  static constexpr auto run(const program_view& program) -> result<exported_program> {
    if (auto why = verify(program)) return why;
    if constexpr (is_valid && sizeof...(Passes) != 0) {
      return detail::run_all<Passes...>(program);
    } else {
      return thaw(program);
    }
  }
};

/// The passes of a `transform` call, in order: `baton::transform(model, baton::passes<baton::fold_constants, my_pass>)`.
template <class... Passes>
inline constexpr pass_list<Passes...> passes{};

}  // namespace baton
