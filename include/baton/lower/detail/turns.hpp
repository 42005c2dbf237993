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
template <class... Turns>
struct turns {};

/// A turn for a program, or for every method.
template <class Given, class Partitioner>
struct turns_of_all {
  using type = turns<turn<no_method, Partitioner>>;
};
template <class... Names, class... Makes, class Partitioner>
struct turns_of_all<static_methods<static_method<Names, Makes>...>, Partitioner> {
  using type = turns<turn<Names, Partitioner>...>;
};

/// The turn of a map's entry, if it has a partitioner for this round.
template <std::size_t Round, class Entry>
struct turn_of_entry {
  using type = turns<>;
};
template <std::size_t Round, class Name, class... Partitioners>
  requires(Round < sizeof...(Partitioners))
struct turn_of_entry<Round, method_partitioners<Name, Partitioners...>> {
  using type = turns<turn<Name, std::tuple_element_t<Round, std::tuple<Partitioners...>>>>;
};

template <class...>
struct joined_turns {
  using type = turns<>;
};
template <class... First, class... Rest>
struct joined_turns<turns<First...>, Rest...> {
  template <class>
  struct with;
  template <class... Others>
  struct with<turns<Others...>> {
    using type = turns<First..., Others...>;
  };
  using type = typename with<typename joined_turns<Rest...>::type>::type;
};

/// The turns of a round: one partitioner for all methods, or those of a map that have one for this round. `Given` is a static program, or
/// static methods.
template <std::size_t Round, class Given, class Partitioners>
struct turns_of {
  using type = typename turns_of_all<Given, Partitioners>::type;
};
template <std::size_t Round, class Given, class... Entries>
struct turns_of<Round, Given, partitioner_map<Entries...>> {
  using type = typename joined_turns<typename turn_of_entry<Round, Entries>::type...>::type;
};
template <std::size_t Round, class Given, class... Partitioners>
struct turns_of<Round, Given, partitioner_list<Partitioners...>> {
  using type = typename turns_of_all<Given, std::tuple_element_t<Round, std::tuple<Partitioners...>>>::type;
};

}  // namespace baton::detail
