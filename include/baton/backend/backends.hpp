// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The static list of backends, searched by id.
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
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton {

namespace detail {

/// Fails with `nested_backend` if a backend of the list derives from another one; the failure names the first such backend.
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

/// Checks a list of backends. Fails with `nested_backend` if a backend derives from another one, and with `duplicate_backend` if two
/// backends have the same id.
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

/// Stops the compiler with a message if the list of backends is not valid. Returns true if the list is valid.
template <class... Backends>
consteval auto require_backends() -> bool {
  constexpr bool are_backends = (require_backend<Backends>() && ...);
  if constexpr (are_backends) {
    constexpr static_failure why{check_backends<Backends...>()};
    require_no_failure<why>();
    return !why.is_set;
  }
  return false;
}

}  // namespace detail

/// A list of backends. No backend may derive from another backend; put shared code into a base class that is not a backend. `is_valid` is
/// false if an error in the list has been reported.
template <class... Backends>
struct backend_list {
  static constexpr bool is_valid = detail::require_backends<Backends...>();
  static_assert(is_valid || true);  // instantiates the check without a second message
  static constexpr boost::hana::tuple<boost::hana::type<Backends>...> types{};
  /// The backend at position `I`.
  template <std::size_t I>
  using at = typename std::remove_cvref_t<decltype(boost::hana::at_c<I>(types))>::type;

  /// Calls `f` with a `boost::hana::type` of the backend with the id `id`, and returns true. Returns false if the list has no such backend.
  template <class F>
  static constexpr auto with([[maybe_unused]] std::string_view id, [[maybe_unused]] F&& f) -> bool {
    // Does not use `boost::hana::for_each`: if `f` fails in a constant expression, the calls inside `for_each` would fill the compiler's
    // notes.
    return ((to_text(Backends::id) == id && (static_cast<void>(f(boost::hana::type<Backends>{})), true)) || ...);
  }

  /// Returns the position of the backend with the id `id`, or the size of the list if there is none.
  static constexpr auto position_of(std::string_view id) -> std::size_t {
    std::size_t position = 0;
    static_cast<void>(((to_text(Backends::id) == id || (++position, false)) || ...));
    return position;
  }

  /// Returns the failure for an id that is not in the list. The reason lists the ids of the list. For an empty list, the reason recommends
  /// `baton::then`, because a static program that is computed from a lowered program has an empty list unless `baton::then` is used.
  static constexpr auto unknown(std::string_view id) -> failure {
    auto why = broken<"unknown_backend">("the list has:");
    (append(append(why.reason, " "), to_text(Backends::id)), ...);
    if (sizeof...(Backends) == 0) why.reason = join("the list is empty; use baton::then to keep the backends of a lowered program");
    why.backend = join(id);
    return why;
  }
};

/// A list of backends as an object: `constexpr auto target = baton::backends<my_npu, my_dsp>;`.
template <class... Backends>
inline constexpr backend_list<Backends...> backends{};

}  // namespace baton
