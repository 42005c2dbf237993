// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The entry points of delegation for several methods: every backend sees its parts of all methods at once.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/lower/detail/partitioner_requirement.hpp>
#include <baton/lower/detail/phase_steps.hpp>
#include <baton/lower/detail/run_time_lowering.hpp>
#include <baton/lower/detail/static_lowering.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/operators/verify.hpp>

#include <type_traits>
#include <utility>

namespace baton {

/// Lowers several methods together, and gives a failure back where `to_backend` raises it.
template <class... Backends, class Partitioners>
constexpr auto try_to_backend(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners,
                              validation checks = validation::on) -> result<exported_methods> {
  if constexpr (detail::partitioner_requirement<Partitioners>::holds() && backend_list<Backends...>::is_sound) {
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
  using requirement = detail::partitioner_requirement<Partitioners>;
  static_assert(
      requirement::is_stateless,
      "baton to_backend: what lowers static methods must have no state; pass partitioners as lambdas without captures that return "
      "them, and names of methods as template arguments");
  if constexpr (requirement::is_stateless && requirement::holds() && list::is_sound && methods::is_sound) {
    constexpr static_failure why{detail::check_partitioned_names(detail::names_of(Partitioners{}), methods::names)};
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

}  // namespace baton
