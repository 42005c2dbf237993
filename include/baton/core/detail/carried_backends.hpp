// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backends that a program of the compiler takes along: those that its delegates run on.
#pragma once

#include <baton/core/config.hpp>

#include <type_traits>

namespace baton {

/// The static list of backends (`backend/backends.hpp`), of which this layer only passes the type along.
template <class... Backends>
struct backend_list;

namespace detail {

/// Lists of backends that are joined by `+`, in which each stands once.
template <class List>
struct carried {
  using type = List;
};
template <class List>
constexpr auto operator+(carried<List>, carried<List>) -> carried<List> {
  return {};
}
template <class... Known>
  requires(sizeof...(Known) != 0)
constexpr auto operator+(carried<backend_list<Known...>>, carried<backend_list<>>) -> carried<backend_list<Known...>> {
  return {};
}
template <class... Known, class First, class... Rest>
  requires(!std::is_same_v<backend_list<Known...>, backend_list<First, Rest...>>)
constexpr auto operator+(carried<backend_list<Known...>>, carried<backend_list<First, Rest...>>) {
  constexpr bool is_known = (std::is_same_v<Known, First> || ...);
  using more = std::conditional_t<is_known, backend_list<Known...>, backend_list<Known..., First>>;
  return carried<more>{} + carried<backend_list<Rest...>>{};
}

/// The backends that what makes a program names by a member type `backend_types`, a `backend_list`; an empty list if it names none.
template <class Make>
struct backends_of {
  using type = backend_list<>;
};
template <class Make>
  requires requires { typename Make::backend_types; }
struct backends_of<Make> {
  using type = typename Make::backend_types;
};

/// What makes a program, and the backends that were named with it.
template <class Make, class List>
struct with_backends : Make {
  using backend_types = List;
};

}  // namespace detail

}  // namespace baton
