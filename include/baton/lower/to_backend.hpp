// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The entry points of delegation. The functions lower a program or several methods with partitioners, or a whole program by backend id.
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
#include <baton/lower/detail/computed_bytes.hpp>
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

/// Lowers a program, at run time or in a constant expression. Returns the failure that `to_backend` would raise. Use this function in
/// tools, and in a backend that lowers its part further. A part is the nodes of a graph that become one delegate.
template <class... Backends, class Partitioners>
constexpr auto try_to_backend(backend_list<Backends...> target, const exported_program& program, const Partitioners& partitioners,
                              validation checks = validation::on) -> result<exported_program> {
  if constexpr (detail::partitioner_form<Partitioners>::require_for_program() && backend_list<Backends...>::is_valid) {
    return detail::lower_program(target, program, partitioners, checks);
  } else {
    return exported_program{};
  }
}

/// Lowers a program with a partitioner, at run time or in a constant expression. Each part is preprocessed by its backend and replaced by a
/// delegate call. Several partitioners are applied in order: `to_backend(target, model, in_order(first{}, second{}))`. If several parts use
/// a constant that one of them owns, each part gets a separate placeholder for the constant (`split_shared_constants`).
///
/// Raises the failures of `verify`, `tag_program`, `check_parts` and the backends. Also raises `unknown_backend`, `part_without_outputs`,
/// `malformed_packing`, `duplicate_identifier`, `foreign_debug_handle` and `conflicting_named_data`. With a list of partitioners, the
/// failure names the position of the failing partitioner.
template <class... Backends, class Partitioners>
constexpr auto to_backend(backend_list<Backends...> target, const exported_program& program, const Partitioners& partitioners,
                          validation checks = validation::on) -> exported_program {
  return value_or_raise(try_to_backend(target, program, partitioners, checks));
}

/// Lowers a static program; the result is a static program. Each step of lowering and each part is evaluated in a separate constant
/// expression. If a partitioner has state, pass a lambda without captures that returns the partitioner. `without_validation` as the last
/// argument omits the optional checks (`validation`).
///
/// Also fails with `run_time_preprocess` if `preprocess` is not constexpr, and with `costly_preprocess` if `preprocess` exceeds the limits
/// of the compiler. If an error has been reported, the returned program is invalid and causes no further diagnostics.
template <class... Backends, class Stage, class Partitioners, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_program<Stage>, Partitioners, std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using model = static_program<Stage>;
  constexpr bool is_stateless = detail::partitioner_form<Partitioners>::is_stateless;
  static_assert(
      is_stateless,
      "baton to_backend: the partitioner of a static program has state; pass a lambda without captures that returns the partitioner");
  if constexpr (is_stateless && detail::partitioner_form<Partitioners>::require_for_program() && list::is_valid) {
    return detail::lower_static<0, list, model, Partitioners, Checks>();
  } else {
    return detail::invalid_result(model{});
  }
}

/// Lowers several methods together. Returns the failure that `to_backend` would raise.
template <class... Backends, class Partitioners>
constexpr auto try_to_backend(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners,
                              validation checks = validation::on) -> result<exported_methods> {
  if constexpr (detail::partitioner_form<Partitioners>::require() && backend_list<Backends...>::is_valid) {
    return detail::lower_methods(target, std::move(methods), partitioners, checks);
  } else {
    return exported_methods{};
  }
}

/// Lowers several methods together, at run time or in a constant expression. `partitioners` is one partitioner for all methods, a list
/// (`in_order(...)`), or a map by method (`partitioners(...)`). Methods without a partitioner do not change. First, all methods are tagged
/// and checked. Then the parts are preprocessed. A backend with `preprocess_multimethod` is called once, with its parts of all methods. Any
/// other backend is called once per part. With lists of partitioners, tagging, checking and preprocessing are repeated for each position in
/// the lists.
///
/// Raises the failures of lowering one program, with the method's name added. Also raises `duplicate_method`, `unknown_method` and
/// `unmatched_results`.
template <class... Backends, class Partitioners>
constexpr auto to_backend(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners,
                          validation checks = validation::on) -> exported_methods {
  return value_or_raise(try_to_backend(target, std::move(methods), partitioners, checks));
}

/// Lowers static methods; the result is static methods. The parts of a backend with `preprocess_multimethod` are preprocessed in one
/// constant expression. Every other part is preprocessed in a separate constant expression.
template <class... Backends, class... Methods, class Partitioners, validation Checks = validation::on>
constexpr auto to_backend(backend_list<Backends...>, static_methods<Methods...>, Partitioners,
                          std::integral_constant<validation, Checks> = {}) {
  using list = backend_list<Backends...>;
  using methods = static_methods<Methods...>;
  using form = detail::partitioner_form<Partitioners>;
  static_assert(
      form::is_stateless,
      "baton to_backend: the partitioner of static methods has state; pass lambdas without captures that return partitioners, and "
      "names of methods as template arguments");
  if constexpr (form::is_stateless && form::require() && list::is_valid && methods::is_valid) {
    constexpr static_failure why{detail::check_partitioned_names(form::names(Partitioners{}), methods::names)};
    require_no_failure<why>();
    if constexpr (why.is_set) {
      return detail::invalid_result(methods{});
    } else {
      return detail::lower_static<0, list, methods, Partitioners, Checks>();
    }
  } else {
    return detail::invalid_result(methods{});
  }
}

/// Lowers a whole program with the backend whose id is `backend_id`, at run time or in a constant expression. Raises the failures of
/// `verify` and of the backend. Also raises `unknown_backend`, `malformed_packing`, `duplicate_identifier`, `foreign_debug_handle`, and
/// `refused_part` if the program has an external constant.
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

/// The arguments of `preprocess` for a whole program.
template <class Id, class Model, class Specs>
struct program_input {
  static constexpr auto backend_id() -> std::string_view { return to_text(Id{}); }
  static constexpr auto is_sample() -> bool { return is_small_part(Model::value(), none<tag_id>); }
  static constexpr auto cut() -> cut_part { return {thaw(Model::value()), Specs{}()}; }
};

/// A stage (a callable that the compiler evaluates to a program) that lowers a whole program by backend id. Fails as `verify` and
/// `lower_by_id` do, and with `run_time_preprocess` or `costly_preprocess` (see `can_preprocess`).
template <class List, class Id, class Model, class Specs>
struct by_id_step {
  using backend_types = List;
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    using input = program_input<Id, Model, Specs>;
    if (auto why = verify(program)) return why;
    if constexpr (can_preprocess<List, input>()) {
      const auto cut = input::cut();
      return lower_by_id(List{}, input::backend_id(), cut.program, cut.specs, source_bytes::kept);
    } else {
      return broken_by_backend<"run_time_preprocess">(input::backend_id());
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
void match_backend_list(const backend_list<Backends...>&);
template <class T>
concept list_of_backends = requires(const T& candidate) { match_backend_list(candidate); };

/// Returns the result of a call whose error has been reported: an invalid program if the argument is a static program, otherwise an empty
/// program.
template <class First>
constexpr auto fallback_program(const First&) {
  if constexpr (is_static_program<First>) {
    return invalid_result(First{});
  } else {
    return exported_program{};
  }
}

}  // namespace detail

/// The lowered module (a program after `preprocess`) of a static program.
template <class Stage>
struct static_lowered_module {
  static constexpr auto view() -> lowered_module_view {
    return {static_program<Stage>::value(), last_delegate(static_program<Stage>::value())};
  }
};

/// Lowers a whole static program by backend id: `to_backend(target, baton::name<"MyNpu">, model)`. Pass compile specs (key-value pairs for
/// `preprocess`) as a lambda without captures that returns the specs.
template <class... Backends, char... C, class Stage, class Specs = no_compile_specs>
constexpr auto to_backend(backend_list<Backends...>, boost::hana::string<C...>, static_program<Stage>, Specs = {}) {
  static_assert(std::is_empty_v<Specs> && std::is_invocable_r_v<compile_specs, Specs>,
                "baton to_backend: the compile specs of a static program are not a constant; pass a lambda without captures that returns "
                "baton::compile_specs");
  using model = static_program<Stage>;
  using lowering = stage<detail::by_id_step<backend_list<Backends...>, boost::hana::string<C...>, model, Specs>, model>;
  model::report();
  static_program<lowering>::report();
  return static_lowered_module<typename decltype(detail::computed_bytes<static_program<lowering>>())::stage_type>{};
}

/// This overload is selected for a call with a backend id if the argument after the id is not a program. It is also selected for a static
/// program if the id is a run-time string. It reports one message instead of a list of overload candidates.
template <class... Backends, class Id, class Program, class... Specs>
  requires(detail::backend_id_text<Id> && (!detail::lowerable<Program> || is_static_program<Program>)) ||
          (detail::backend_id_name<Id> && !detail::lowerable<Program>)
constexpr auto to_backend(backend_list<Backends...>, const Id&, const Program&, const Specs&...) -> lowered_module {
  static_assert(detail::lowerable<Program>,
                "baton to_backend: the argument is not a program; pass a baton::static_program or a baton::exported_program; "
                "import a model file, or convert a program_view with baton::thaw");
  static_assert(!is_static_program<Program>,
                "baton to_backend: the backend id of a static program is not a constant; pass baton::name<\"MyNpu\">, or lower an owning "
                "program, baton::thaw(model)");
  return lowered_module(exported_program{});
}

/// The next two overloads report one message instead of a list of overload candidates if the arguments are in the wrong order. The first
/// overload is selected if the first argument is not a list of backends. The second overload is selected if the second argument is neither
/// a program nor a backend id, but the third argument is a program.
template <class First, class Second, class... Rest>
  requires(!detail::list_of_backends<First>)
constexpr auto to_backend(const First& first, const Second&, const Rest&...) {
  static_assert(always_false<First>,
                "baton to_backend: the first argument is not a list of backends; write: "
                "baton::to_backend(baton::backends<my_npu>, model, my_partitioner{})");
  return detail::fallback_program(first);
}
template <class... Backends, class Second, class Program, class... Rest>
  requires(!detail::lowerable<Second> && !detail::backend_id_text<Second> && !detail::backend_id_name<Second> && detail::lowerable<Program>)
constexpr auto to_backend(backend_list<Backends...>, const Second&, const Program& program, const Rest&...) {
  static_assert(always_false<Second>,
                "baton to_backend: the second argument is not a program, but the third is; write: "
                "baton::to_backend(baton::backends<my_npu>, model, my_partitioner{})");
  return detail::fallback_program(program);
}

}  // namespace baton
