// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lists of partitioners that are applied in order, and maps of partitioners by method.
#pragma once

#include <baton/core/name.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// Returns a list of partitioners that are applied in order: `baton::to_backend(target, model, baton::in_order(first{}, second{}))`.
/// Lowering with this list has the same result as successive `to_backend` calls, one for each partitioner. A node belongs to the first
/// partitioner that tags the node (assigns it to a delegate). Later partitioners see each delegate as one node. With several methods, each
/// partitioner is applied to all methods before the next partitioner is applied.
///
/// At compile time, wrap a partitioner with state in a lambda without captures that returns the partitioner. An empty list does not change
/// the program. An error names the position of the failing partitioner in the list.
template <class... Partitioners>
constexpr auto in_order(Partitioners... each) -> partitioner_list<Partitioners...> {
  return {{std::move(each)...}};
}

/// Returns the partitioners of one method: `baton::for_method<"prefill">(my_partitioner{})`. Several partitioners are applied in order,
/// each to the nodes that the previous partitioners did not tag. At run time, the name may also be an argument: `baton::for_method(name,
/// my_partitioner{})`. The text of `name` must outlive the returned object.
template <fixed_string Name, class... Partitioners>
constexpr auto for_method(Partitioners... each) {
  return method_partitioners<std::remove_const_t<decltype(name<Name>)>, Partitioners...>{{}, {std::move(each)...}};
}
template <class... Partitioners>
constexpr auto for_method(std::string_view name, Partitioners... each) {
  return method_partitioners<std::string_view, Partitioners...>{name, {std::move(each)...}};
}

/// Returns the partitioners of several methods:
/// `baton::partitioners(baton::for_method<"forward">(p{}), baton::for_method<"prefill">(q{}))`.
template <class... Each>
constexpr auto partitioners(Each... entries) -> partitioner_map<Each...> {
  return {{std::move(entries)...}};
}

}  // namespace baton
