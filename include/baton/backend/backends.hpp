// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The static list of backends: found by id, duplicates refused.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/detail/require_backend.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/position_of_duplicate.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/shared/type_name.hpp>

#include <boost/hana/at.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton {

namespace detail {

/// The first backend of a list that derives from another of it.
template <class... Backends>
constexpr auto check_nesting_of_backends() -> failure {
  failure why;
  const auto check = [&why]<class Derived, class Parent>(boost::hana::basic_type<Derived>, boost::hana::basic_type<Parent>) {
    if constexpr (!std::is_same_v<Derived, Parent> && std::is_base_of_v<Parent, Derived>) {
      if (why) return;
      why = broken<"nested_backend">(type_name<Derived>(), " derives from ", type_name<Parent>());
      why.backend = join(to_text(Derived::id));
    }
  };
  [[maybe_unused]] const auto check_all = [&]<class Derived>(boost::hana::basic_type<Derived> derived) {
    (check(derived, boost::hana::type_c<Backends>), ...);
  };
  (check_all(boost::hana::type_c<Backends>), ...);
  return why;
}

/// What is wrong with a list of backends. Errors: `nested_backend`, `duplicate_backend`.
template <class... Backends>
constexpr auto check_backends() -> failure {
  if (auto why = check_nesting_of_backends<Backends...>()) return why;
  constexpr std::array<std::string_view, sizeof...(Backends)> ids{to_text(Backends::id)...};
  const auto duplicate = position_of_duplicate(ids);
  failure why;
  if (duplicate < ids.size()) {
    why = broken<"duplicate_backend">();
    why.backend = join(ids[duplicate]);
  }
  return why;
}

/// Stops the compiler with a sentence if a list of backends is none.
template <class... Backends>
consteval auto require_backends() -> bool {
  constexpr bool are_backends = (require_backend<Backends>() && ...);
  if constexpr (are_backends) {
    constexpr static_failure why{check_backends<Backends...>()};
    require_unbroken<why>();
    return !why.broken;
  }
  return false;
}

}  // namespace detail

/// A list of backends, none of which derives from another: what two share stands in a base that is no backend. `is_sound` is false after a
/// mistake in it has been reported.
template <class... Backends>
struct backend_list {
  static constexpr bool is_sound = detail::require_backends<Backends...>();
  static_assert(is_sound || true);  // asks at once, and lets what was said stand alone
  static constexpr boost::hana::tuple<boost::hana::type<Backends>...> types{};
  /// The backend at position I.
  template <std::size_t I>
  using at = typename std::remove_cvref_t<decltype(boost::hana::at_c<I>(types))>::type;

  /// Calls `f` with the type of the backend of that id. Whether it was found.
  template <class F>
  static constexpr auto with(std::string_view id, F&& f) -> bool {
    bool found = false;
    boost::hana::for_each(types, [&](auto candidate) {
      if (!found && to_text(decltype(candidate)::type::id) == id) {
        found = true;
        f(candidate);
      }
    });
    return found;
  }

  /// The position of the backend of that id in the list, the list's size if it is not there.
  static constexpr auto position_of(std::string_view id) -> std::size_t {
    std::size_t position = 0;
    static_cast<void>(((to_text(Backends::id) == id || (++position, false)) || ...));
    return position;
  }

  /// The failure of an id that is not in the list; its reason lists which ids are. An empty list is that of a program that was made around
  /// a lowered one, and lost its backends.
  static constexpr auto unknown(std::string_view id) -> failure {
    auto why = broken<"unknown_backend">("the list has:");
    (append(append(why.reason, " "), to_text(Backends::id)), ...);
    if (sizeof...(Backends) == 0)
      why.reason = join("the list is empty; a program made around a lowered one keeps its backends by baton::then");
    why.backend = join(id);
    return why;
  }
};

/// The backends to choose from: `constexpr auto target = baton::backends<my_npu, my_dsp>;`.
template <class... Backends>
inline constexpr backend_list<Backends...> backends{};

}  // namespace baton
