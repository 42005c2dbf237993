// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which methods have a turn in a round of lowering, and at which partitioner, in both times. A program that is lowered alone is a method
// without a name.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/partitioners.hpp>

#include <boost/hana/string.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// How many partitioners stand in a list; 0: this is no list, and errors tell no place.
template <class>
inline constexpr std::size_t listed_partitioners = 0;
template <class... Partitioners>
inline constexpr std::size_t listed_partitioners<partitioner_list<Partitioners...>> = sizeof...(Partitioners);

/// How many rounds methods are lowered in: one for a partitioner, one each for a list, for a map as many as its longest entry has.
template <class>
inline constexpr std::size_t rounds_of = 1;
template <class... Entries>
inline constexpr std::size_t rounds_of<partitioner_map<Entries...>> = std::max({std::size_t{0}, Entries::count...});
template <class... Partitioners>
inline constexpr std::size_t rounds_of<partitioner_list<Partitioners...>> = sizeof...(Partitioners);

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
constexpr auto check_partitioned_names(std::span<const std::string_view> partitioned, std::span<const std::string_view> known) -> failure {
  if (auto why = check_method_names(partitioned)) return why;
  for (const auto name : partitioned) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return unknown_method(name, known);
  }
  return {};
}

/// Calls `f` with each slot that has a turn at run time, and its partitioner: all of them, or those of a map whose entry is long enough.
template <std::size_t Round, class Slots, class Partitioner, class F>
constexpr void for_each_turn(Slots& slots, const Partitioner& partitioner, F f) {
  for (auto& slot : slots) f(slot, partitioner);
}
template <std::size_t Round, class Slots, class... Partitioners, class F>
constexpr void for_each_turn(Slots& slots, const partitioner_list<Partitioners...>& order, F f) {
  for (auto& slot : slots) f(slot, std::get<Round>(order.partitioners));
}
template <std::size_t Round, class Slots, class... Entries, class F>
constexpr void for_each_turn(Slots& slots, const partitioner_map<Entries...>& map, F f) {
  const auto offer = [&](const auto& entry) {
    if constexpr (Round < std::remove_cvref_t<decltype(entry)>::count) {
      const auto is_wanted = [&](const auto& slot) { return slot.method == entry.method(); };
      f(*std::find_if(slots.begin(), slots.end(), is_wanted), std::get<Round>(entry.partitioners));
    }
  };
  std::apply([&](const auto&... each) { (offer(each), ...); }, map.entries);
}

/// What stands for a method's name where a program is lowered alone.
using no_method = boost::hana::string<>;

/// A turn in the compiler: the method's name, and what partitions it in this round.
template <class Name, class Partitioner>
struct turn {};

/// The turn of a map's entry, if it has a partitioner for this round.
template <std::size_t Round, class Name, class... Partitioners>
constexpr auto turn_of_entry(method_partitioners<Name, Partitioners...>) {
  if constexpr (Round < sizeof...(Partitioners)) {
    return std::tuple<turn<Name, std::tuple_element_t<Round, std::tuple<Partitioners...>>>>{};
  } else {
    return std::tuple<>{};
  }
}

/// A turn for a static program, or for every static method.
template <class Given, class Partitioner>
struct turns_of_all {
  using type = std::tuple<turn<no_method, Partitioner>>;
};
template <class... Names, class... Makes, class Partitioner>
struct turns_of_all<static_methods<static_method<Names, Makes>...>, Partitioner> {
  using type = std::tuple<turn<Names, Partitioner>...>;
};

/// The turns of a round, in a `std::tuple`: for all of them at one partitioner, or for those of a map that have one for this round.
template <std::size_t Round, class Given, class Partitioner>
struct turns_of : turns_of_all<Given, Partitioner> {};
template <std::size_t Round, class Given, class... Partitioners>
struct turns_of<Round, Given, partitioner_list<Partitioners...>>
    : turns_of_all<Given, std::tuple_element_t<Round, std::tuple<Partitioners...>>> {};
template <std::size_t Round, class Given, class... Entries>
struct turns_of<Round, Given, partitioner_map<Entries...>> {
  using type = decltype(std::tuple_cat(turn_of_entry<Round>(std::declval<Entries>())...));
};

}  // namespace baton::detail
