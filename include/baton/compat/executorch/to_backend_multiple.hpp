// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The older entry points, for people who know them: partitioners given as types, data owned implicitly, methods lowered one by one.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/partitioner.hpp>

#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// A partitioner whose parts own the parameters, buffers and constants that they use, without being asked: those that several parts use
/// are shared. It stands before another partitioner, or a lambda without captures that makes one.
template <class Partitioner>
struct owning_data {
  [[no_unique_address]] Partitioner partitioner{};

  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> tagged = partitioner_of(partitioner).partition(program);
    if (tagged) static_cast<void>(tag_constant_data(tagged.value, program));
    return tagged;
  }
};

/// Lowers a program of either time with a partitioner given as a type: `to_backend<my_partitioner>(target, program)`. As in the first form
/// of this call, parts own the data that they use. Errors: those of `to_backend`.
template <class Partitioner, class... Backends, class Program>
constexpr auto to_backend(backend_list<Backends...> target, const Program& program) {
  if constexpr (require_partitioner<Partitioner>()) {
    return to_backend(target, program, owning_data<Partitioner>{});
  } else {
    return program;
  }
}

namespace detail {

/// A program lowered with one partitioner after the other, each owning the data that its parts use.
template <class List, class Program>
constexpr auto lower_one_after_the_other(List, Program program) -> Program {
  return program;
}
template <class List, class Program, class First, class... Rest>
constexpr auto lower_one_after_the_other(List target, const Program& program, const First& first, const Rest&... rest) {
  return lower_one_after_the_other(target, to_backend(target, program, owning_data<First>{first}), rest...);
}

/// A method's program lowered with its partitioner, or its partitioners, if it has one.
template <class List, class Partitioner>
constexpr auto lower_alone(List target, std::string_view, exported_program program, const Partitioner& partitioner) -> exported_program {
  return lower_one_after_the_other(target, program, partitioner);
}
template <class List, class... Entries>
constexpr auto lower_alone(List target, std::string_view name, exported_program program, const partitioner_map<Entries...>& map)
    -> exported_program {
  const auto lower = [&](const auto& entry) {
    if (entry.method() != name) return;
    program = std::apply([&](const auto&... each) { return lower_one_after_the_other(target, program, each...); }, entry.partitioners);
  };
  std::apply([&](const auto&... each) { (lower(each), ...); }, map.entries);
  return program;
}

/// The same in the compiler, for the method of that name.
template <class Name, class List, class Program, class Partitioner>
constexpr auto lower_static_alone(List target, Program program, Partitioner partitioner) {
  return lower_one_after_the_other(target, program, partitioner);
}
template <class Name, class List, class Program>
constexpr auto lower_static_alone(List, Program program, partitioner_map<>) {
  return program;
}
template <class Name, class List, class Program, class Of, class... Each, class... Rest>
constexpr auto lower_static_alone(List target, Program program, partitioner_map<method_partitioners<Of, Each...>, Rest...>) {
  if constexpr (std::is_same_v<Of, Name>) {
    return lower_one_after_the_other(target, program, Each{}...);
  } else {
    return lower_static_alone<Name>(target, program, partitioner_map<Rest...>{});
  }
}

/// Whether something tags several methods: a partitioner, what a lambda makes one of, or a map of them.
template <class Given>
concept tags_methods = requires(Given map) { map.entries; } ||
                       requires(Given given, const exported_program& program) { partitioner_of(given).partition(program); };

template <class Given>
consteval auto require_partitioner_or_map() -> bool {
  constexpr bool is_one_of_the_two = tags_methods<Given>;
  static_assert(
      is_one_of_the_two,
      "baton to_backend_multiple: the argument is not a partitioner; pass one for all methods, or partitioners(for_method<...>(...))");
  return is_one_of_the_two;
}

}  // namespace detail

/// Lowers methods one by one, in their order: with one partitioner for all, or `partitioners(...)` by method, of which those that match no
/// method are ignored. No backend sees several methods at once. Errors: those of `to_backend`.
template <class... Backends, class Partitioners>
constexpr auto to_backend_multiple(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners)
    -> exported_methods {
  if constexpr (detail::require_partitioner_or_map<Partitioners>()) {
    auto all = std::move(methods).release();
    for (auto& each : all) each.program = detail::lower_alone(target, view(each.name), std::move(each.program), partitioners);
    return exported_methods(std::move(all));
  } else {
    return methods;
  }
}

/// The same for methods of the compiler.
template <class... Backends, class... Names, class... Makes, class Partitioners>
constexpr auto to_backend_multiple(backend_list<Backends...> target, static_methods<static_method<Names, Makes>...> methods,
                                   Partitioners partitioners) {
  if constexpr (detail::require_partitioner_or_map<Partitioners>()) {
    return baton::methods(static_method<Names, typename decltype(detail::lower_static_alone<Names>(target, static_program<Makes>{},
                                                                                                   partitioners))::make>{}...);
  } else {
    return methods;
  }
}

/// The same with a partitioner given as a type: `to_backend_multiple<my_partitioner>(target, methods)`.
template <class Partitioner, class... Backends, class Methods>
constexpr auto to_backend_multiple(backend_list<Backends...> target, Methods methods) {
  return to_backend_multiple(target, std::move(methods), Partitioner{});
}

}  // namespace baton
