// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which methods have a turn in a round of lowering, and at which partitioner.
#pragma once

#include <baton/lower/methods.hpp>
#include <baton/lower/partitioners.hpp>

#include <cstddef>
#include <tuple>

namespace baton::detail {

/// A method's turn: its name, and what partitions it in this round.
template <class Name, class Partitioner>
struct turn {};
template <class... Turns>
struct turns {};

/// A turn for every method.
template <class Methods, class Partitioner>
struct turns_of_all;
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

/// The turns of a round: one partitioner for all methods, or those of a map that have one for this round.
template <std::size_t Round, class Methods, class Partitioners>
struct turns_of {
  using type = typename turns_of_all<Methods, Partitioners>::type;
};
template <std::size_t Round, class Methods, class... Entries>
struct turns_of<Round, Methods, partitioner_map<Entries...>> {
  using type = typename joined_turns<typename turn_of_entry<Round, Entries>::type...>::type;
};
template <std::size_t Round, class Methods, class... Partitioners>
struct turns_of<Round, Methods, partitioner_list<Partitioners...>> {
  using type = typename turns_of_all<Methods, std::tuple_element_t<Round, std::tuple<Partitioners...>>>::type;
};

}  // namespace baton::detail
