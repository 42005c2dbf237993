// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// `transform`, which applies passes to static programs, to programs at run time, and to sets of methods.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/first_failure.hpp>
#include <baton/core/shared/invalid_program.hpp>
#include <baton/core/shared/is_static_program.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/pass_list.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace baton {

namespace detail {

/// The callable of a `stage` (core/shared/stage.hpp). The callable applies a pass to a static program. Fails with the errors of the pass.
template <class Pass>
struct pass_step {
  static constexpr bool is_verified = true;
  static constexpr bool rarely_grows = requires { requires Pass::rarely_grows; };
  static constexpr bool defers_bytes = deferring_pass<Pass>;
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    return run_unchecked<Pass>(program, byte_recipe::timing::deferred);
  }
  /// Returns the failure of a pass that the compiler could not evaluate.
  static constexpr auto unevaluated() -> failure { return broken<"costly_pass">("pass ", Pass::name); }
};

// Each check is a separate constant, because compilers limit the steps of a constant expression. Verifying a large program takes about as
// many steps as a pass.
template <class Model>
inline constexpr static_failure input_check{verify(Model::value())};
template <class Result, class Pass>
inline constexpr static_failure output_check{check_pass_result<Pass>(Result::value())};

/// The empty method name, for a program that is not in a set of methods.
using empty_name = std::remove_const_t<decltype(name<"">)>;

template <class Method>
constexpr auto failure_in(static_failure why) -> static_failure {
  if (why.is_set) why.method = static_failure::text<static_failure::capacity>{to_text(Method{})};
  return why;
}

/// A pass with a predicate `is_needed`. The pass is not applied to static programs for which `is_needed` is false. If the pass has a member
/// type `passes`, which is a pass list, each pass of this list becomes a separate stage. The compilers' limits then apply to each stage
/// separately. Example: `legalize`.
template <class Pass>
concept conditional_pass = requires(const program_view& program) {
  { Pass::is_needed(program) } -> std::same_as<bool>;
};
template <class... First, class... Rest>
consteval auto joined(pass_list<First...>, pass_list<Rest...>) -> pass_list<First..., Rest...> {
  return {};
}
/// Whether `Model` needs `Pass`. A variable, so that the compiler evaluates `Pass::is_needed` only once. The variable is not constexpr,
/// because a call that the compiler cannot evaluate must not be an error here. The pass itself reports that error.
template <class Model, conditional_pass Pass>
inline const bool needs_pass = Pass::is_needed(Model::value());
/// Returns `Pass::is_needed(Model::value())`. Returns true if the compiler cannot evaluate this call, so that the pass reports the error.
template <class Model, conditional_pass Pass>
consteval auto is_needed_for() -> bool {
  if constexpr (requires { typename std::bool_constant<needs_pass<Model, Pass>>; }) return needs_pass<Model, Pass>;
  return true;
}
/// Removes the passes before the first pass that `Model` needs. A pass without `is_needed` is always needed. If the first needed pass is a
/// `conditional_pass` with a list `passes`, replaces the pass by the list, and repeats the removal. So `Model` needs the first pass of the
/// result, if any.
template <class Model>
consteval auto needed_passes(pass_list<> none) {
  return none;
}
template <class Model, class First, class... Rest>
consteval auto needed_passes(pass_list<First, Rest...> all) {
  if constexpr (!conditional_pass<First>) {
    return all;
  } else if constexpr (!is_needed_for<Model, First>()) {
    return needed_passes<Model>(pass_list<Rest...>{});
  } else if constexpr (requires { typename First::passes; }) {
    return needed_passes<Model>(joined(typename First::passes{}, pass_list<Rest...>{}));
  } else {
    return all;
  }
}

/// Returns the first failure of the passes or of the verification of their results. Returns an empty failure if there is none. The
/// parameter must be a result of `needed_passes<Model>`.
template <class Model>
consteval auto pass_failure(pass_list<>) -> static_failure {
  return {};
}
template <class Model, class First, class... Rest>
consteval auto pass_failure(pass_list<First, Rest...>) -> static_failure {
  using rewritten = static_program<stage<pass_step<First>, Model>>;
  if constexpr (!rewritten::is_valid) {
    return first_failure<rewritten>();
  } else if constexpr (output_check<rewritten, First>.is_set) {
    return output_check<rewritten, First>;
  } else {
    return pass_failure<rewritten>(needed_passes<rewritten>(pass_list<Rest...>{}));
  }
}
/// Returns the failure of the stage that computes `Model`. If the stage did not fail, verifies `Model` and returns the failure of the
/// verification, which may be empty. The result of a stage with `is_verified` is not verified again.
template <class Model>
consteval auto input_failure() -> static_failure {
  if constexpr (!Model::is_valid) {
    return first_failure<Model>();
  } else if constexpr (requires { Model::stage_type::is_verified; }) {
    return {};
  } else {
    return input_check<Model>;
  }
}
template <class Model, class... Passes>
consteval auto transform_failure() -> static_failure {
  constexpr auto input = input_failure<Model>();
  if constexpr (input.is_set) {
    return input;
  } else {
    return pass_failure<Model>(needed_passes<Model>(pass_list<Passes...>{}));
  }
}

/// Applies passes to `Model`, and returns the resulting static program. The parameter must be a result of `needed_passes<Model>`.
template <class Model>
consteval auto transformed(pass_list<>) -> Model {
  return {};
}
template <class Model, class First, class... Rest>
consteval auto transformed(pass_list<First, Rest...>) {
  using rewritten = static_program<stage<pass_step<First>, Model>>;
  return transformed<rewritten>(needed_passes<rewritten>(pass_list<Rest...>{}));
}

/// A function object that applies the passes to a program, at compile time or at run time. The first argument is the name of the program's
/// method, or empty.
template <class... Passes>
struct transform_each {
  template <class Method, class Stage>
  constexpr auto operator()(Method, static_program<Stage>) const {
    using model = static_program<Stage>;
    if constexpr (pass_list<Passes...>::is_valid) {
      constexpr auto why = failure_in<Method>(transform_failure<model, Passes...>());
      require_no_failure<why>();
      if constexpr (why.is_set) {
        return invalid_program(model{});
      } else {
        return transformed<model>(needed_passes<model>(pass_list<Passes...>{}));
      }
    } else {
      return invalid_program(model{});
    }
  }
  constexpr auto operator()(std::string_view, const exported_program& program) const -> result<exported_program> {
    if constexpr (pass_list<Passes...>::is_valid) {
      return pass_list<Passes...>::run(program);
    } else {
      return program;
    }
  }
};

template <class T>
void accept_passes(const T&) = delete;
template <class... Passes>
void accept_passes(const pass_list<Passes...>&);
template <class T>
concept list_of_passes = requires(const T& passes) { accept_passes(passes); };
struct same_program {
  template <class Program>
  constexpr auto operator()(const auto&, const Program& program) const -> Program {
    return program;
  }
};
/// A set of named programs, such as methods (lower/methods.hpp). `with_programs(f)` returns the set with each program replaced by the
/// result of `f(name, program)`.
template <class T>
concept programs_by_name = requires(const T& programs) { programs.with_programs(same_program{}); };
template <class T>
concept transformable = std::convertible_to<const T&, const exported_program&> || is_static_program<T> || programs_by_name<T>;

}  // namespace detail

/// Applies passes to a program, at run time or in a constant expression, and verifies the result of each pass. Tags, delegates, states and
/// subgraphs are kept, so a program can be transformed before or after lowering. Exception: if a program calls decoded delegates,
/// `legalize` replaces these calls and removes all tags.
/// Fails with the errors of `verify` for `program`, the errors of the passes (the reason names the pass), or `broken_by_pass`.
template <class... Passes>
constexpr auto transform(const exported_program& program, pass_list<Passes...>) -> exported_program {
  return value_or_raise(detail::transform_each<Passes...>{}({}, program));
}

/// Applies passes to a static program and returns a static program. The result of each pass is a separate constant, which is computed once
/// even if several callers use it. If an error has been reported, the returned program is invalid and causes no further diagnostics.
/// Example: `constexpr auto smaller = baton::transform(model, baton::passes<baton::fold_constants>);`
template <class Stage, class... Passes>
constexpr auto transform(static_program<Stage> program, pass_list<Passes...>) {
  return detail::transform_each<Passes...>{}(detail::empty_name{}, program);
}

/// Applies passes to the program of each method, at run time or at compile time, and returns the set of methods. If several methods have
/// the same static program, it is transformed once, and the methods share the result. Errors name the method. Example: `constexpr auto
/// smaller = baton::transform(both, baton::passes<baton::fold_constants>);`
template <detail::programs_by_name Methods, class... Passes>
constexpr auto transform(const Methods& methods, pass_list<Passes...>) {
  return methods.with_programs(detail::transform_each<Passes...>{});
}

/// Selected if the first argument is neither a program nor a set of methods, or if the second is not a list of passes. Reports an error for
/// each wrong argument, instead of the compiler's list of candidates.
template <class Program, class Passes>
  requires(!detail::transformable<Program> || !detail::list_of_passes<Passes>)
constexpr auto transform(const Program&, const Passes&) -> exported_program {
  static_assert(detail::transformable<Program>,
                "baton transform: the first argument is neither a program nor a set of methods; pass a "
                "baton::static_program or a baton::exported_program; import a model file, or convert a program_view with baton::thaw");
  static_assert(detail::list_of_passes<Passes>,
                "baton transform: the second argument is not a list of passes; write: baton::transform(model, baton::passes<my_pass>)");
  return {};
}

}  // namespace baton
