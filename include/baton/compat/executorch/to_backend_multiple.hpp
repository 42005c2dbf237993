// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ExecuTorch's older entry points. Partitioners are passed as types, parts own their data implicitly, and methods are lowered one by one. A
// part is the nodes of a graph that become one delegate.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
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

/// A partitioner that applies `partitioner`, and then `tag_constant_data`. So the parts own the parameters, constants and immutable buffers
/// that they use. Data that several parts use is shared. `partitioner` may be a lambda without captures that returns a partitioner.
template <class Partitioner>
struct owning_data {
  [[no_unique_address]] Partitioner partitioner{};

  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> tagged = partitioner_of(partitioner).partition(program);
    if (tagged) static_cast<void>(tag_constant_data(tagged.value, program));
    return tagged;
  }
};

/// Lowers a program with a partitioner that is passed as a type: `to_backend<my_partitioner>(target, program)`. Works at compile time and
/// at run time. The parts own the constant data that they use (`owning_data`), as in ExecuTorch's older `to_backend`. Raises the failures
/// of `to_backend`.
template <class Partitioner, class... Backends, class Program>
constexpr auto to_backend(backend_list<Backends...> target, const Program& program) {
  if constexpr (require_partitioner<Partitioner>()) {
    return to_backend(target, program, owning_data<Partitioner>{});
  } else {
    return program;
  }
}

namespace detail {

/// Lowers a program with several partitioners, in order. The parts own the constant data that they use (`owning_data`).
template <class List, class Program>
constexpr auto lower_in_order(List, Program program) -> Program {
  return program;
}
template <class List, class Program, class First, class... Rest>
constexpr auto lower_in_order(List target, const Program& program, const First& first, const Rest&... rest) {
  return lower_in_order(target, to_backend(target, program, owning_data<First>{first}), rest...);
}

/// Lowers the program of a method with the method's partitioners. A method without partitioners does not change.
template <class List, class Partitioner>
constexpr auto lower_method(List target, std::string_view, exported_program program, const Partitioner& partitioner) -> exported_program {
  return lower_in_order(target, program, partitioner);
}
template <class List, class... Entries>
constexpr auto lower_method(List target, std::string_view name, exported_program program, const partitioner_map<Entries...>& map)
    -> exported_program {
  const auto lower = [&](const auto& entry) {
    if (entry.method() != name) return;
    program = std::apply([&](const auto&... each) { return lower_in_order(target, program, each...); }, entry.partitioners);
  };
  std::apply([&](const auto&... each) { (lower(each), ...); }, map.entries);
  return program;
}

/// Lowers the static program of method `Name` with the method's partitioners.
template <class Name, class List, class Program, class Partitioner>
constexpr auto lower_static_method(List target, Program program, Partitioner partitioner) {
  return lower_in_order(target, program, partitioner);
}
template <class Name, class List, class Program>
constexpr auto lower_static_method(List, Program program, partitioner_map<>) {
  return program;
}
template <class Name, class List, class Program, class Wanted, class... Each, class... Rest>
constexpr auto lower_static_method(List target, Program program, partitioner_map<method_partitioners<Wanted, Each...>, Rest...>) {
  if constexpr (std::is_same_v<Wanted, Name>) {
    return lower_in_order(target, program, Each{}...);
  } else {
    return lower_static_method<Name>(target, program, partitioner_map<Rest...>{});
  }
}

/// A type that can tag the nodes of several methods: a partitioner, a lambda that returns a partitioner, or a map of partitioners by
/// method. To tag a node is to assign it to a part.
template <class Partitioner>
concept tags_methods = requires(Partitioner map) { map.entries; } || requires(Partitioner partitioner, const exported_program& program) {
  partitioner_of(partitioner).partition(program);
};

template <class Partitioner>
consteval auto require_partitioner_or_map() -> bool {
  constexpr bool is_valid = tags_methods<Partitioner>;
  static_assert(
      is_valid,
      "baton to_backend_multiple: the argument is not a partitioner; pass one for all methods, or partitioners(for_method<...>(...))");
  return is_valid;
}

}  // namespace detail

/// Lowers methods one by one, in order. `partitioners` is a partitioner for all methods, or a map from methods to partitioners. The
/// function `partitioners(...)` returns such a map. Entries of the map that match no method are ignored. `preprocess_multimethod` is not
/// called. Raises the failures of `to_backend`, and `duplicate_method` if two entries of the map are for the same method.
template <class... Backends, class Partitioners>
constexpr auto to_backend_multiple(backend_list<Backends...> target, exported_methods methods, const Partitioners& partitioners)
    -> exported_methods {
  if constexpr (detail::require_partitioner_or_map<Partitioners>()) {
    if constexpr (requires { partitioners.entries; }) {
      if (auto why = partitioners.check_names()) raise(why);
    }
    auto all = std::move(methods).release();
    for (auto& each : all) each.program = detail::lower_method(target, view(each.name), std::move(each.program), partitioners);
    return exported_methods(std::move(all));
  } else {
    return methods;
  }
}

/// Lowers static methods one by one.
template <class... Backends, class... Names, class... Stages, class Partitioners>
constexpr auto to_backend_multiple(backend_list<Backends...> target, static_methods<static_method<Names, Stages>...> methods,
                                   Partitioners partitioners) {
  if constexpr (detail::require_partitioner_or_map<Partitioners>()) {
    if constexpr (requires { partitioners.entries; }) {
      constexpr static_failure why{Partitioners{}.check_names()};
      require_no_failure<why>();
    }
    return baton::methods(static_method<Names, typename decltype(detail::lower_static_method<Names>(target, static_program<Stages>{},
                                                                                                    partitioners))::stage_type>{}...);
  } else {
    return methods;
  }
}

/// Lowers methods one by one with a partitioner that is passed as a type: `to_backend_multiple<my_partitioner>(target, methods)`.
template <class Partitioner, class... Backends, class Methods>
constexpr auto to_backend_multiple(backend_list<Backends...> target, Methods methods) {
  return to_backend_multiple(target, std::move(methods), Partitioner{});
}

}  // namespace baton
