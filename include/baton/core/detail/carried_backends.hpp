// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backends that a static program uses, as a type list. The list is a member type of the stage, the callable that computes the program.
#pragma once

#include <baton/core/config.hpp>

#include <type_traits>

namespace baton {

/// The static list of backends (`backend/backends.hpp`). The template is incomplete here, because `core` uses it only as a type.
template <class... Backends>
struct backend_list;

namespace detail {

/// A list of backends as a value. `+` joins lists without duplicates.
template <class List>
struct list_constant {
  using type = List;
};
template <class List>
constexpr auto operator+(list_constant<List>, list_constant<List>) -> list_constant<List> {
  return {};
}
template <class... Known>
  requires(sizeof...(Known) != 0)
constexpr auto operator+(list_constant<backend_list<Known...>>, list_constant<backend_list<>>) -> list_constant<backend_list<Known...>> {
  return {};
}
template <class... Known, class First, class... Rest>
  requires(!std::is_same_v<backend_list<Known...>, backend_list<First, Rest...>>)
constexpr auto operator+(list_constant<backend_list<Known...>>, list_constant<backend_list<First, Rest...>>) {
  constexpr bool is_known = (std::is_same_v<Known, First> || ...);
  using more = std::conditional_t<is_known, backend_list<Known...>, backend_list<Known..., First>>;
  return list_constant<more>{} + list_constant<backend_list<Rest...>>{};
}

/// The list of the backends of a callable: its member type `backend_types`, or an empty list if the callable has no such member.
template <class Stage>
struct backends_of {
  using type = backend_list<>;
};
template <class Stage>
  requires requires { typename Stage::backend_types; }
struct backends_of<Stage> {
  using type = typename Stage::backend_types;
};

/// The callable `Stage`, which returns a program, with the list of this program's backends as the member type `backend_types`.
template <class Stage, class List>
struct with_backends : Stage {
  using backend_types = List;
};

}  // namespace detail

}  // namespace baton
