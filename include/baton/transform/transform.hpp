// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The entry point of passes, for programs of the compiler and of run time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/first_failure.hpp>
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

/// What a pass makes of a static program. Errors: the pass's own.
template <class Pass>
struct pass_step {
  static constexpr bool is_verified = true;
  constexpr auto operator()(const program_view& program) const -> result<exported_program> { return run_unchecked<Pass>(program); }
  /// What is said of a pass that the compiler could not evaluate.
  static constexpr auto unevaluated() -> failure { return broken<"costly_pass">("pass ", Pass::name); }
};

// Constants of their own: to verify a large program takes as many steps as a pass.
template <class Model>
inline constexpr static_failure flaw_of_given{verify(Model::value())};
template <class Made, class Pass>
inline constexpr static_failure flaw_of_made{flaw_left_by<Pass>(Made::value())};

/// What stands for a method's name where a program is transformed alone.
using nameless = std::remove_const_t<decltype(name<"">)>;

template <class Method>
constexpr auto failure_in(static_failure why) -> static_failure {
  if (why.broken) why.method = static_failure::text<static_failure::capacity>{to_text(Method{})};
  return why;
}

/// What is wrong with a program, or with what passes make of it, if anything: the first failure.
template <class Model>
consteval auto failure_of(pass_list<>) -> static_failure {
  return {};
}
template <class Model, class First, class... Rest>
consteval auto failure_of(pass_list<First, Rest...>) -> static_failure {
  using made = static_program<stage<pass_step<First>, Model>>;
  if constexpr (!made::is_valid) {
    return first_failure<made>();
  } else if constexpr (flaw_of_made<made, First>.broken) {
    return flaw_of_made<made, First>;
  } else {
    return failure_of<made>(pass_list<Rest...>{});
  }
}
template <class Model>
consteval auto failure_of_given() -> static_failure {
  if constexpr (!Model::is_valid) {
    return first_failure<Model>();
  } else if constexpr (requires { Model::make::is_verified; }) {
    return {};
  } else {
    return flaw_of_given<Model>;
  }
}
template <class Model, class... Passes>
consteval auto failure_of_all() -> static_failure {
  constexpr auto of_given = failure_of_given<Model>();
  if constexpr (of_given.broken) {
    return of_given;
  } else {
    return failure_of<Model>(pass_list<Passes...>{});
  }
}

template <class Model, class... Passes>
struct transformed {
  using type = Model;
};
template <class Model, class First, class... Rest>
struct transformed<Model, First, Rest...> : transformed<static_program<stage<pass_step<First>, Model>>, Rest...> {};

/// What passes make of a program, in both times, which may be that of a method.
template <class... Passes>
struct transform_each {
  template <class Method, class Make>
  constexpr auto operator()(Method, static_program<Make>) const {
    using model = static_program<Make>;
    if constexpr (pass_list<Passes...>::is_sound) {
      constexpr auto why = failure_in<Method>(failure_of_all<model, Passes...>());
      require_unbroken<why>();
      return std::conditional_t<why.broken, model, typename transformed<model, Passes...>::type>{};
    } else {
      return model{};
    }
  }
  constexpr auto operator()(std::string_view, const exported_program& program) const -> result<exported_program> {
    if constexpr (pass_list<Passes...>::is_sound) {
      return pass_list<Passes...>::run(program);
    } else {
      return program;
    }
  }
};

template <class T>
void take_passes(const T&) = delete;
template <class... Passes>
void take_passes(const pass_list<Passes...>&);
template <class T>
concept list_of_passes = requires(const T& given) { take_passes(given); };
struct same_program {
  template <class Program>
  constexpr auto operator()(const auto&, const Program& program) const -> Program {
    return program;
  }
};
/// Programs by name, as methods are (lower/methods.hpp): they make the same of what a function of name and program makes of each.
template <class T>
concept programs_by_name = requires(const T& given) { given.with_programs(same_program{}); };
template <class T>
concept transformable = std::convertible_to<const T&, const exported_program&> || is_static_program<T> || programs_by_name<T>;

}  // namespace detail

/// Runs passes on a program, at run time or within a constant; what each leaves is checked. Tags, delegates, states and subgraphs stay, so
/// this may be done before a program is lowered, and after.
/// Errors: those of `verify` for the program given, the passes' own, `broken_by_pass`; the reason names the pass.
template <class... Passes>
constexpr auto transform(const exported_program& program, pass_list<Passes...>) -> exported_program {
  return value_or_raise(detail::transform_each<Passes...>{}({}, program));
}

/// The same for a program of the compiler; the result is one again. What each pass makes is a constant of its own, made once, whoever asks.
/// Example: `constexpr auto smaller = baton::transform(model, baton::passes<baton::fold_constants>);`
template <class Make, class... Passes>
constexpr auto transform(static_program<Make> program, pass_list<Passes...>) {
  return detail::transform_each<Passes...>{}(detail::nameless{}, program);
}

/// The same for all programs of several methods, at run time or of the compiler; the result is methods again. Two methods of one program
/// have one constant. Errors name the method.
/// Example: `constexpr auto smaller = baton::transform(both, baton::passes<baton::fold_constants>);`
template <detail::programs_by_name Methods, class... Passes>
constexpr auto transform(const Methods& methods, pass_list<Passes...>) {
  return methods.with_programs(detail::transform_each<Passes...>{});
}

/// What is no program, or no list of passes: a sentence in place of a list of candidates.
template <class Program, class Passes>
  requires(!detail::transformable<Program> || !detail::list_of_passes<Passes>)
constexpr auto transform(const Program&, const Passes&) -> exported_program {
  static_assert(detail::transformable<Program>,
                "baton transform: the argument is not a program or methods; pass a baton::static_program or a baton::exported_program: "
                "thaw a program_view, import a model file");
  static_assert(detail::list_of_passes<Passes>,
                "baton transform: the passes are not a list after the program; write: baton::transform(model, baton::passes<my_pass>)");
  return {};
}

}  // namespace baton
