// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What lowering asks of a partitioner, of several in order, and of several by method, in both times: whether they are partitioners, in how
// many phases they take their turns, and which methods have a phase step in one, at which of them.
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

/// The failure of names of methods to which partitioners were given: one that stands twice, or that no method has.
constexpr auto check_partitioned_names(span<const std::string_view> partitioned, span<const std::string_view> known) -> failure {
  if (auto why = check_method_names(partitioned)) return why;
  for (const auto name : partitioned) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return unknown_method(name, known);
  }
  return {};
}

/// What stands for a method's name where a program is lowered alone, as a method without a name.
using no_method = boost::hana::string<>;

/// A phase step in the compiler: the method's name, and what partitions it in this phase.
template <class Name, class Partitioner>
struct phase_step {};

/// The phase steps of a static program, or of every static method, at one partitioner.
template <class Given, class Partitioner>
struct phase_steps_of_all {
  using type = std::tuple<phase_step<no_method, Partitioner>>;
};
template <class... Names, class... Makes, class Partitioner>
struct phase_steps_of_all<static_methods<static_method<Names, Makes>...>, Partitioner> {
  using type = std::tuple<phase_step<Names, Partitioner>...>;
};

/// What stands for a partitioner, made if it is a lambda.
template <class Given>
using made_by = std::remove_cvref_t<decltype(partitioner_of(std::declval<const Given&>()))>;

template <class Given>
struct partitioner_form;

/// Partitioners in order, or lambdas without captures that make them, none of which is a list again: `holds` stops the compiler with a
/// sentence if one is neither. A phase for each, in which it partitions all that there is.
template <class... Each>
struct partitioner_form<partitioner_list<Each...>> {
  static consteval auto holds() -> bool { return (require_partitioner<made_by<Each>>() && ...); }
  static consteval auto holds_for_a_program() -> bool { return holds(); }
  static constexpr bool is_stateless = (std::is_empty_v<Each> && ...);
  static constexpr std::size_t phases = sizeof...(Each);
  static constexpr std::size_t listed = phases;  ///< how many stand in a list; 0: this is none, and errors name no position

  /// The methods that are named; none, where it is for all.
  template <class Given>
  static constexpr auto names(const Given&) -> vector<std::string_view> {
    return {};
  }
  /// Calls `f` with each slot that has a step in a phase at run time, and its partitioner.
  template <std::size_t Phase, class Slots, class F>
  static constexpr void for_each_step(Slots& slots, const partitioner_list<Each...>& order, F f) {
    for (auto& slot : slots) f(slot, std::get<Phase>(order.partitioners));
  }
  /// The steps of a phase in the compiler, in a `std::tuple`.
  template <std::size_t Phase, class Lowered>
  using steps = typename phase_steps_of_all<Lowered, std::tuple_element_t<Phase, std::tuple<Each...>>>::type;
};

/// The same of one that stands alone.
template <class Given>
struct partitioner_form : partitioner_form<partitioner_list<Given>> {
  static consteval auto holds_for_a_method() -> bool {
    static_assert(always_false<Given>,
                  "baton not_a_partitioner: an argument of partitioners(...) is not for one method; write: "
                  "baton::partitioners(baton::for_method<\"forward\">(my_partitioner{}))");
    return false;
  }
  static constexpr std::size_t listed = 0;
  template <std::size_t Phase, class Slots, class F>
  static constexpr void for_each_step(Slots& slots, const Given& given, F f) {
    for (auto& slot : slots) f(slot, given);
  }
  template <std::size_t>
  static constexpr auto step() -> std::tuple<> {  // for no method
    return {};
  }
};

/// The same of those of one method, which stand in `partitioners(...)`: a phase for each, if there are so many.
template <class Name, class... Each>
struct partitioner_form<method_partitioners<Name, Each...>> : partitioner_form<partitioner_list<Each...>> {
  static consteval auto holds() -> bool { return require_partitioner<method_partitioners<Name, Each...>>(); }
  static consteval auto holds_for_a_program() -> bool { return holds(); }
  static consteval auto holds_for_a_method() -> bool { return partitioner_form<partitioner_list<Each...>>::holds(); }
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

/// The same of those of several methods: as many phases as the longest entry has.
template <class... Entries>
struct partitioner_form<partitioner_map<Entries...>> {
  static consteval auto holds() -> bool { return (partitioner_form<Entries>::holds_for_a_method() && ...); }
  static consteval auto holds_for_a_program() -> bool { return require_partitioner<partitioner_map<Entries...>>(); }
  static constexpr bool is_stateless = (partitioner_form<Entries>::is_stateless && ...);
  static constexpr std::size_t phases = std::max({std::size_t{0}, partitioner_form<Entries>::phases...});
  static constexpr std::size_t listed = 0;

  static constexpr auto names(const partitioner_map<Entries...>& map) -> vector<std::string_view> {
    return std::apply([](const auto&... each) { return vector<std::string_view>{each.method()...}; }, map.entries);
  }
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
