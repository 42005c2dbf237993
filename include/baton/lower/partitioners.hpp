// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitioners by method: which partitioners look at the program of which method.
#pragma once

#include <baton/core/name.hpp>

#include <boost/hana/string.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// The partitioners of one method, applied one after the other. `Name` is a `baton::name`, or a `std::string_view` at run time.
template <class Name, class... Partitioners>
struct method_partitioners {
  static constexpr std::size_t count = sizeof...(Partitioners);
  Name name;
  std::tuple<Partitioners...> partitioners;

  constexpr auto method() const -> std::string_view {
    if constexpr (std::is_same_v<Name, std::string_view>) {
      return name;
    } else {
      return to_text(name);
    }
  }
};

/// The partitioners of one method: `baton::for_method<"prefill">(my_partitioner{})`. Several are applied one after the other, each to what
/// the one before it left. `baton::for_method(text, ...)` at run time; the text must outlive what is returned.
template <fixed_string Name, class... Partitioners>
constexpr auto for_method(Partitioners... each) {
  return method_partitioners<std::remove_const_t<decltype(name<Name>)>, Partitioners...>{{}, {std::move(each)...}};
}
template <class... Partitioners>
constexpr auto for_method(std::string_view name, Partitioners... each) {
  return method_partitioners<std::string_view, Partitioners...>{name, {std::move(each)...}};
}

/// Partitioners for some of the methods of a model, in order; methods that have none are left as they are.
template <class... Entries>
struct partitioner_map {
  std::tuple<Entries...> entries;
};

/// The partitioners of several methods: `baton::partitioners(baton::for_method<"forward">(p{}), baton::for_method<"prefill">(q{}))`.
template <class... Each>
constexpr auto partitioners(Each... entries) -> partitioner_map<Each...> {
  return {{std::move(entries)...}};
}

namespace detail {

template <class>
inline constexpr bool is_partitioner_map = false;
template <class... Entries>
inline constexpr bool is_partitioner_map<partitioner_map<Entries...>> = true;

/// So many times are methods lowered: as often as the method that has most partitioners.
template <class>
inline constexpr std::size_t rounds_of = 1;
template <class... Entries>
inline constexpr std::size_t rounds_of<partitioner_map<Entries...>> = std::max({std::size_t{0}, Entries::count...});

}  // namespace detail

}  // namespace baton
