// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Several partitioners: one after the other, and by method.
#pragma once

#include <baton/core/name.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// Several partitioners in one call: `baton::to_backend(target, model, baton::in_order(first{}, second{}))`. The result is that of one call
/// after the other: a node belongs to the first that tags it, and a delegate that one made is one node to those behind it. With several
/// methods, every partitioner has its turn at all of them. In the compiler, a partitioner with state is given as a lambda without captures
/// that makes it. An empty list leaves the program as it is. An error says which partitioner of the list it comes from.
template <class... Partitioners>
constexpr auto in_order(Partitioners... each) -> partitioner_list<Partitioners...> {
  return {{std::move(each)...}};
}

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

/// The partitioners of several methods: `baton::partitioners(baton::for_method<"forward">(p{}), baton::for_method<"prefill">(q{}))`.
template <class... Each>
constexpr auto partitioners(Each... entries) -> partitioner_map<Each...> {
  return {{std::move(entries)...}};
}

}  // namespace baton
