// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Several partitioners: one after the other, and by method.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/static_failure.hpp>

#include <boost/hana/string.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

/// A partitioner, or what a lambda without captures makes: the form in which the compiler is given one with state.
template <class Given>
constexpr auto partitioner_of(const Given& given) -> decltype(auto) {
  if constexpr (std::is_invocable_v<const Given&>) {
    return given();
  } else {
    return (given);
  }
}

/// Partitioners in the order of their priority, each for what those before it left.
template <class... Partitioners>
struct partitioner_list {
  std::tuple<Partitioners...> partitioners;
};

/// Several partitioners in one call: `baton::to_backend(target, model, baton::in_order(first{}, second{}))`. The result is that of one call
/// after the other: a node belongs to the first that tags it, and a delegate that one made is one node to those behind it. With several
/// methods, every partitioner has its turn at all of them. In the compiler, a partitioner with state is given as a lambda without captures
/// that makes it. An empty list leaves the program as it is. An error says which partitioner of the list it comes from.
template <class... Partitioners>
constexpr auto in_order(Partitioners... each) -> partitioner_list<Partitioners...> {
  return {{std::move(each)...}};
}

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

/// A position in a list of partitioners; a partitioner that was given alone has none.
struct list_position {
  std::size_t position = 0;
  std::size_t count = 0;

  /// The failure, "partitioner 2 of 3" before its reason.
  constexpr auto with_position(failure why) const -> failure {
    if (!why || count == 0) return why;
    auto reason = join("partitioner ", position + 1, " of ", count);
    if (!why.reason.empty()) append(append(reason, ": "), view(why.reason));
    why.reason = std::move(reason);
    return why;
  }
  constexpr auto with_position(static_failure why) const -> static_failure {
    failure plain;
    if (why.broken) plain.rule = "broken";
    plain.reason = join(std::string_view{why.reason.characters, why.reason.size});
    why.reason = decltype(why.reason)(with_position(std::move(plain)).reason);
    return why;
  }
};

}  // namespace detail

}  // namespace baton
