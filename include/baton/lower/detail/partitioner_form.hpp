// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The phases of lowering. Lowering applies one partitioner, a list of partitioners, or a map of partitioners by method. A phase applies at
// most one partitioner to each method. A phase step is the application of one partitioner to one method. Lowering uses `partitioner_form`
// at compile time and at run time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>

#include <boost/hana/string.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// Checks the method names in a map of partitioners. Fails with `duplicate_method` if a name occurs twice, and with `unknown_method` if a
/// name is not in `known`.
constexpr auto check_partitioned_names(span<const std::string_view> partitioned, span<const std::string_view> known) -> failure {
  if (auto why = check_method_names(partitioned)) return why;
  for (const auto name : partitioned) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return unknown_method(name, known);
  }
  return {};
}

/// The empty method name of a single program.
using no_method = boost::hana::string<>;

/// A phase step at compile time: a method name, and the method's partitioner in this phase.
template <class Name, class Partitioner>
struct phase_step {};

/// The phase steps of a phase that applies one partitioner to a static program, or to all static methods.
template <class Model, class Partitioner>
struct phase_steps_of_all {
  using type = std::tuple<phase_step<no_method, Partitioner>>;
};
template <class... Names, class... Stages, class Partitioner>
struct phase_steps_of_all<static_methods<static_method<Names, Stages>...>, Partitioner> {
  using type = std::tuple<phase_step<Names, Partitioner>...>;
};

/// The type of the partitioner that `partitioner_of` returns.
template <class Source>
using partitioner_type = std::remove_cvref_t<decltype(partitioner_of(std::declval<const Source&>()))>;

/// The phases and the checks of `Partitioner`, the type of the partitioner argument of `to_backend`.
template <class Partitioner>
struct partitioner_form;

/// The specialization for a list of partitioners. Each partitioner has one phase, in which it is applied to all methods. The elements must
/// be partitioners, or lambdas without captures that return partitioners.
template <class... Each>
struct partitioner_form<partitioner_list<Each...>> {
  /// Returns true if the partitioners can be applied to methods; otherwise stops the compiler with a message. `require_for_program` is the
  /// same check for a single program, and `require_for_method` is the check of an entry of a map.
  static consteval auto require() -> bool { return (require_partitioner<partitioner_type<Each>>() && ...); }
  static consteval auto require_for_program() -> bool { return require(); }
  static constexpr bool is_stateless = (std::is_empty_v<Each> && ...);
  static constexpr std::size_t phases = sizeof...(Each);
  /// The number of partitioners to state in a failure. The forms of a single partitioner and of a map have 0, because they are not lists.
  static constexpr std::size_t list_size = phases;

  /// Returns the names of the methods that have partitioners, or an empty list if the partitioners apply to all methods.
  template <class Partitioners>
  static constexpr auto names(const Partitioners&) -> vector<std::string_view> {
    return {};
  }
  /// Calls `f(slot, partitioner)` for each method that has a step in phase `Phase`, at run time. A slot (`lowering_slot`) refers to the
  /// program of one method.
  template <std::size_t Phase, class Slots, class F>
  static constexpr void for_each_step(Slots& slots, const partitioner_list<Each...>& order, F f) {
    for (auto& slot : slots) f(slot, std::get<Phase>(order.partitioners));
  }
  /// The steps of a phase at compile time: a `std::tuple` of `phase_step` types.
  template <std::size_t Phase, class Lowered>
  using steps = typename phase_steps_of_all<Lowered, std::tuple_element_t<Phase, std::tuple<Each...>>>::type;
};

/// The primary template, for a single partitioner. A single partitioner behaves like a list with one element.
template <class Partitioner>
struct partitioner_form : partitioner_form<partitioner_list<Partitioner>> {
  static consteval auto require_for_method() -> bool {
    static_assert(always_false<Partitioner>,
                  "baton not_a_partitioner: an argument of partitioners(...) is not a for_method; write: "
                  "baton::partitioners(baton::for_method<\"forward\">(my_partitioner{}))");
    return false;
  }
  static constexpr std::size_t list_size = 0;
  template <std::size_t Phase, class Slots, class F>
  static constexpr void for_each_step(Slots& slots, const Partitioner& partitioner, F f) {
    for (auto& slot : slots) f(slot, partitioner);
  }
  template <std::size_t>
  static constexpr auto step() -> std::tuple<> {  // never used: `require_for_method` rejects a single partitioner
    return {};
  }
};

/// The specialization for the partitioners of one method, which are an entry of `partitioners(...)`. Each partitioner has one phase.
template <class Name, class... Each>
struct partitioner_form<method_partitioners<Name, Each...>> : partitioner_form<partitioner_list<Each...>> {
  static consteval auto require() -> bool { return require_partitioner<method_partitioners<Name, Each...>>(); }
  static consteval auto require_for_program() -> bool { return require(); }
  static consteval auto require_for_method() -> bool { return partitioner_form<partitioner_list<Each...>>::require(); }
  static constexpr bool is_stateless = partitioner_form<partitioner_list<Each...>>::is_stateless && std::is_empty_v<Name>;
  template <std::size_t Phase>
  static constexpr auto step() {
    if constexpr (Phase < sizeof...(Each)) {
      return std::tuple<phase_step<Name, std::tuple_element_t<Phase, std::tuple<Each...>>>>{};
    } else {
      return std::tuple<>{};
    }
  }
};

/// The specialization for a map of partitioners. A map has as many phases as its longest entry.
template <class... Entries>
struct partitioner_form<partitioner_map<Entries...>> {
  static consteval auto require() -> bool { return (partitioner_form<Entries>::require_for_method() && ...); }
  static consteval auto require_for_program() -> bool { return require_partitioner<partitioner_map<Entries...>>(); }
  static constexpr bool is_stateless = (partitioner_form<Entries>::is_stateless && ...);
  static constexpr std::size_t phases = std::max({std::size_t{0}, partitioner_form<Entries>::phases...});
  static constexpr std::size_t list_size = 0;

  static constexpr auto names(const partitioner_map<Entries...>& map) -> vector<std::string_view> { return map.names(); }
  template <std::size_t Phase, class Slots, class F>
  static constexpr void for_each_step(Slots& slots, const partitioner_map<Entries...>& map, F f) {
    const auto visit = [&](const auto& entry) {
      if constexpr (Phase < partitioner_form<std::remove_cvref_t<decltype(entry)>>::phases) {
        const auto is_wanted = [&](const auto& slot) { return slot.method == entry.method(); };
        f(*std::find_if(slots.begin(), slots.end(), is_wanted), std::get<Phase>(entry.partitioners));
      }
    };
    std::apply([&](const auto&... each) { (visit(each), ...); }, map.entries);
  }
  template <std::size_t Phase, class>
  using steps = decltype(std::tuple_cat(partitioner_form<Entries>::template step<Phase>()...));
};

}  // namespace baton::detail
