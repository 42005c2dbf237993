// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The entry points of delegation: a program, or several methods, with partitioners; a whole program by backend id.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/is_static_program.hpp>
#include <baton/core/shared/stage.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/detail/computed_blobs.hpp>
#include <baton/lower/detail/constant_preprocess.hpp>
#include <baton/lower/detail/partitioner_form.hpp>
#include <baton/lower/detail/run_time_lowering.hpp>
#include <baton/lower/detail/static_lowering.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/shared/lower_by_id.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/partitioner.hpp>

#include <boost/hana/string.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// Lowers a program, at run time or within a constant, and gives a failure back where `to_backend` raises it: for a backend that lowers the
/// part that it is given, and for tools.
template <class... Backends, class Partitioners>
constexpr auto try_to_backend(backend_list<Backends...> target, const exported_program& program, const Partitioners& partitioners,
                              validation checks = validation::on) -> result<exported_program> {
  if constexpr (detail::partitioner_form<Partitioners>::holds_for_a_program() && backend_list<Backends...>::is_sound) {
    return detail::lower_program(target, program, partitioners, checks);
  } else {
    return exported_program{};
  }
}

/// Lowers a program with a partitioner, at run time or within a constant: every part goes to its backend, a delegate call takes its place.
/// Several partitioners have their turn one after the other: `to_backend(target, model, in_order(first{}, second{}))`.
/// Tagged constants with several users are shared (`share_constants`).
/// Errors: those of `verify` and `tag_program`; of the parts, those of `check_parts` and `unknown_backend`; the backends' own, and of what
/// they return `duplicate_identifier`, `foreign_debug_handle`, `conflicting_named_data`. With several partitioners they tell which one.
template <class... Backends, class Partitioners>
constexpr auto to_backend(backend_list<Backends...> target, const exported_program& program, const Partitioners& partitioners,
                          validation checks = validation::on) -> exported_program {
  return value_or_raise(try_to_backend(target, program, partitioners, checks));
}

/// The same for a program of the compiler; the result is one again, so it can be asserted on, run, or lowered again. Every stage and every
/// part is a constant of its own. A partitioner has no state, or is given as a lambda without captures that makes it. Checks are left out
/// with `without_validation`. Errors besides: `run_time_preprocess`, `costly_preprocess`. After a mistake, which has been reported, the
/// result is not valid, and says nothing more.
template <class... Backends, class Make, class Partitioners, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_program<Make>, Partitioners, std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using model = static_program<Make>;
  constexpr bool is_stateless = detail::partitioner_form<Partitioners>::is_stateless;
  static_assert(is_stateless,
                "baton to_backend: a partitioner of a static program has state; pass a lambda without captures that returns it");
  if constexpr (is_stateless && detail::partitioner_form<Partitioners>::holds_for_a_program() && list::is_sound) {
    return detail::lower_static<0, list, model, Partitioners, Checks>();
  } else {
    return model{};
  }
}

/// Lowers several methods together, and gives a failure back where `to_backend` raises it.
template <class... Backends, class Partitioners>
constexpr auto try_to_backend(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners,
                              validation checks = validation::on) -> result<exported_methods> {
  if constexpr (detail::partitioner_form<Partitioners>::holds() && backend_list<Backends...>::is_sound) {
    return detail::lower_methods(target, std::move(methods), partitioners, checks);
  } else {
    return exported_methods{};
  }
}

/// Lowers several methods together, at run time or within a constant: with one partitioner for all of them, with several `in_order(...)`,
/// or with `partitioners(...)` by method; methods without one come back as they are. All methods are partitioned and checked before any
/// part is preprocessed. A backend with `preprocess_multimethod` is called once, with its parts of all methods; the others preprocess part
/// by part. Errors: those of lowering one program, which then name the method; `duplicate_method`, `unknown_method`, `unmatched_results`.
template <class... Backends, class Partitioners>
constexpr auto to_backend(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners,
                          validation checks = validation::on) -> exported_methods {
  return value_or_raise(try_to_backend(target, std::move(methods), partitioners, checks));
}

/// The same for methods of the compiler; the result is methods again. A batch is one constant, every other part one of its own.
template <class... Backends, class... Methods, class Partitioners, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_methods<Methods...>, Partitioners,
                          std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using methods = static_methods<Methods...>;
  using form = detail::partitioner_form<Partitioners>;
  static_assert(form::is_stateless,
                "baton to_backend: a partitioner of static methods has state; pass lambdas without captures that return partitioners, and "
                "names of methods as template arguments");
  if constexpr (form::is_stateless && form::holds() && list::is_sound && methods::is_sound) {
    constexpr static_failure why{detail::check_partitioned_names(form::names(Partitioners{}), methods::names)};
    require_unbroken<why>();
    if constexpr (why.broken) {
      return methods{};
    } else {
      return detail::lower_static<0, list, methods, Partitioners, Checks>();
    }
  } else {
    return methods{};
  }
}

/// Lowers a whole program by backend id, at run time or within a constant. Errors: those of `verify`, `unknown_backend`, the backend's
/// own, and of what it returns `duplicate_identifier`, `foreign_debug_handle`.
template <class... Backends>
constexpr auto to_backend(backend_list<Backends...> target, std::string_view backend_id, const exported_program& program,
                          const compile_specs& specs = {}) -> lowered_module {
  if (auto why = verify(program)) raise(why);
  return lowered_module(value_or_raise(lower_by_id(target, backend_id, program, specs)));
}
template <class... Backends, char... C>
constexpr auto to_backend(backend_list<Backends...> target, boost::hana::string<C...> backend_id, const exported_program& program,
                          const compile_specs& specs = {}) -> lowered_module {
  return to_backend(target, to_text(backend_id), program, specs);
}

namespace detail {

/// A whole program as the backend of an id gets it.
template <class Id, class Model, class Specs>
struct program_given {
  static constexpr auto backend_id() -> std::string_view { return to_text(Id{}); }
  static constexpr auto part() -> exported_program { return thaw(Model::value()); }
  static constexpr auto specs() -> compile_specs { return Specs{}(); }
};

/// Has the backend of an id take a whole program. Errors: those of `verify` and `lower_by_id`, `run_time_preprocess`,
/// `costly_preprocess`.
template <class List, class Id, class Model, class Specs>
struct by_id_step {
  using backend_types = List;
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    using given = program_given<Id, Model, Specs>;
    if (auto why = verify(program)) return why;
    if constexpr (can_preprocess<List, given>()) {
      return lower_by_id(List{}, given::backend_id(), given::part(), given::specs(), source_bytes::kept);
    } else {
      return broken_by_backend<"run_time_preprocess">(given::backend_id());
    }
  }
  static constexpr auto unevaluated() -> failure { return broken_by_backend<"costly_preprocess">(to_text(Id{})); }
};

template <class T>
concept backend_id_text = std::convertible_to<const T&, std::string_view>;
template <class T>
concept backend_id_name = requires(const T& id) { to_text(id); };
template <class T>
concept lowerable = std::convertible_to<const T&, const exported_program&> || is_static_program<T>;

template <class... Backends>
void take_backends(const backend_list<Backends...>&);
template <class T>
concept list_of_backends = requires(const T& given) { take_backends(given); };

/// What stands for a result after the compiler has been stopped: the program among what was given, if it is the first, or an empty one.
template <class First>
constexpr auto program_instead_of(const First&) {
  if constexpr (is_static_program<First>) {
    return First{};
  } else {
    return exported_program{};
  }
}

}  // namespace detail

/// The lowered module of a program of the compiler.
template <class Stage>
struct static_lowered_module {
  static constexpr auto view() -> lowered_module_view {
    return {static_program<Stage>::value(), last_delegate(static_program<Stage>::value())};
  }
};

/// `to_backend` by backend id for a program of the compiler: `to_backend(target, baton::name<"MyNpu">, model)`. Compile specs come from a
/// lambda without captures that makes them.
template <class... Backends, char... C, class Make, class Specs = no_compile_specs>
constexpr auto to_backend(backend_list<Backends...>, boost::hana::string<C...>, static_program<Make>, Specs = {}) {
  static_assert(std::is_empty_v<Specs> && std::is_invocable_r_v<compile_specs, Specs>,
                "baton to_backend: the compile specs of a static program are not a constant; pass a lambda without captures that returns "
                "baton::compile_specs");
  using model = static_program<Make>;
  using made = stage<detail::by_id_step<backend_list<Backends...>, boost::hana::string<C...>, model, Specs>, model>;
  model::report();
  static_program<made>::report();
  return static_lowered_module<typename decltype(detail::computed_blobs<static_program<made>>())::make>{};
}

/// What is no program, or comes with an id in the wrong form: a sentence in place of a list of candidates.
template <class... Backends, class Id, class Program, class... Specs>
  requires(detail::backend_id_text<Id> && (!detail::lowerable<Program> || is_static_program<Program>)) ||
          (detail::backend_id_name<Id> && !detail::lowerable<Program>)
constexpr auto to_backend(backend_list<Backends...>, const Id&, const Program&, const Specs&...) -> lowered_module {
  static_assert(detail::lowerable<Program>,
                "baton to_backend: the argument is not a program; pass a baton::static_program or a baton::exported_program: thaw a "
                "program_view, import a model file");
  static_assert(!is_static_program<Program>,
                "baton to_backend: the backend id of a static program is not a constant; pass baton::name<\"MyNpu\">, or lower an owning "
                "program, baton::thaw(model)");
  return lowered_module(exported_program{});
}

/// Arguments in another order, likewise.
template <class First, class Second, class... Rest>
  requires(!detail::list_of_backends<First>)
constexpr auto to_backend(const First& first, const Second&, const Rest&...) {
  static_assert(always_false<First>,
                "baton to_backend: the first argument is not a list of backends; write: "
                "baton::to_backend(baton::backends<my_npu>, model, my_partitioner{})");
  return detail::program_instead_of(first);
}
template <class... Backends, class Second, class Program, class... Rest>
  requires(!detail::lowerable<Second> && !detail::backend_id_text<Second> && !detail::backend_id_name<Second> && detail::lowerable<Program>)
constexpr auto to_backend(backend_list<Backends...>, const Second&, const Program& program, const Rest&...) {
  static_assert(always_false<Second>,
                "baton to_backend: the program is the second argument, the partitioner the third; write: "
                "baton::to_backend(baton::backends<my_npu>, model, my_partitioner{})");
  return detail::program_instead_of(program);
}

}  // namespace baton
