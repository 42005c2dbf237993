// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which methods have a phase step in a phase of lowering, and at which partitioner, in both times. A program that is lowered alone is a
// method without a name.
#pragma once

#include <baton/core/error.hpp>
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

/// How many partitioners stand in a list; 0: this is no list, and errors name no position.
template <class>
inline constexpr std::size_t listed_partitioners = 0;
template <class... Partitioners>
inline constexpr std::size_t listed_partitioners<partitioner_list<Partitioners...>> = sizeof...(Partitioners);

/// How many phases methods are lowered in: one for a partitioner, one each for a list, for a map as many as its longest entry has.
template <class>
inline constexpr std::size_t phases_of = 1;
template <class... Entries>
inline constexpr std::size_t phases_of<partitioner_map<Entries...>> = std::max({std::size_t{0}, Entries::count...});
template <class... Partitioners>
inline constexpr std::size_t phases_of<partitioner_list<Partitioners...>> = sizeof...(Partitioners);

/// The methods that a map has partitioners for; where there is no map, none are named.
template <class Partitioner>
constexpr auto names_of(const Partitioner&) -> vector<std::string_view> {
  return {};
}
template <class... Entries>
constexpr auto names_of(const partitioner_map<Entries...>& map) -> vector<std::string_view> {
  return std::apply([](const auto&... each) { return vector<std::string_view>{each.method()...}; }, map.entries);
}

/// The failure of names of methods to which partitioners were given: one that stands twice, or that no method has.
constexpr auto check_partitioned_names(span<const std::string_view> partitioned, span<const std::string_view> known) -> failure {
  if (auto why = check_method_names(partitioned)) return why;
  for (const auto name : partitioned) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return unknown_method(name, known);
  }
  return {};
}

/// Calls `f` with each slot that has a phase step at run time, and its partitioner: all of them, or those of a map whose entry is long
/// enough.
template <std::size_t Phase, class Slots, class Partitioner, class F>
constexpr void for_each_step(Slots& slots, const Partitioner& partitioner, F f) {
  for (auto& slot : slots) f(slot, partitioner);
}
template <std::size_t Phase, class Slots, class... Partitioners, class F>
constexpr void for_each_step(Slots& slots, const partitioner_list<Partitioners...>& order, F f) {
  for (auto& slot : slots) f(slot, std::get<Phase>(order.partitioners));
}
template <std::size_t Phase, class Slots, class... Entries, class F>
constexpr void for_each_step(Slots& slots, const partitioner_map<Entries...>& map, F f) {
  const auto visit = [&](const auto& entry) {
    if constexpr (Phase < std::remove_cvref_t<decltype(entry)>::count) {
      const auto is_wanted = [&](const auto& slot) { return slot.method == entry.method(); };
      f(*std::find_if(slots.begin(), slots.end(), is_wanted), std::get<Phase>(entry.partitioners));
    }
  };
  std::apply([&](const auto&... each) { (visit(each), ...); }, map.entries);
}

/// What stands for a method's name where a program is lowered alone.
using no_method = boost::hana::string<>;

/// A phase step in the compiler: the method's name, and what partitions it in this phase.
template <class Name, class Partitioner>
struct phase_step {};

/// The phase step of a map's entry, if it has a partitioner for this phase.
template <std::size_t Phase, class Name, class... Partitioners>
constexpr auto step_of_entry(method_partitioners<Name, Partitioners...>) {
  if constexpr (Phase < sizeof...(Partitioners)) {
    return std::tuple<phase_step<Name, std::tuple_element_t<Phase, std::tuple<Partitioners...>>>>{};
  } else {
    return std::tuple<>{};
  }
}

/// A phase step for a static program, or for every static method.
template <class Given, class Partitioner>
struct phase_steps_of_all {
  using type = std::tuple<phase_step<no_method, Partitioner>>;
};
template <class... Names, class... Makes, class Partitioner>
struct phase_steps_of_all<static_methods<static_method<Names, Makes>...>, Partitioner> {
  using type = std::tuple<phase_step<Names, Partitioner>...>;
};

/// The steps of a phase, in a `std::tuple`: for all of them at one partitioner, or for those of a map that have one for this phase.
template <std::size_t Phase, class Given, class Partitioner>
struct phase_steps_of : phase_steps_of_all<Given, Partitioner> {};
template <std::size_t Phase, class Given, class... Partitioners>
struct phase_steps_of<Phase, Given, partitioner_list<Partitioners...>>
    : phase_steps_of_all<Given, std::tuple_element_t<Phase, std::tuple<Partitioners...>>> {};
template <std::size_t Phase, class Given, class... Entries>
struct phase_steps_of<Phase, Given, partitioner_map<Entries...>> {
  using type = decltype(std::tuple_cat(step_of_entry<Phase>(std::declval<Entries>())...));
};

}  // namespace baton::detail
