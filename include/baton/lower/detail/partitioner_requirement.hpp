// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What entry points ask of partitioners, given alone or several together, before they lower anything.
#pragma once

#include <baton/lower/detail/lowering_steps.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/partition/partitioner.hpp>

#include <type_traits>
#include <utility>

namespace baton::detail {

/// Whether something is a partitioner, or a lambda without captures that makes one; if not, the compiler is stopped with a sentence.
template <class Given>
consteval auto require_partitioner_of() -> bool {
  return require_partitioner<std::remove_cvref_t<decltype(partitioner_of(std::declval<const Given&>()))>>();
}

/// Asks of everything that stands for one or more partitioners whether each is one, and whether it has state.
template <class Partitioner>
struct partitioner_requirement {
  static consteval auto holds() -> bool { return require_partitioner_of<Partitioner>(); }
  static constexpr bool is_stateless = std::is_empty_v<Partitioner>;
};
template <class... Partitioners>
struct partitioner_requirement<partitioner_list<Partitioners...>> {
  static consteval auto holds() -> bool { return (require_partitioner_of<Partitioners>() && ...); }
  static constexpr bool is_stateless = (std::is_empty_v<Partitioners> && ...);
};
template <class Name, class... Partitioners>
struct partitioner_requirement<method_partitioners<Name, Partitioners...>> {
  static consteval auto holds() -> bool { return (require_partitioner_of<Partitioners>() && ...); }
  static constexpr bool is_stateless = (std::is_empty_v<Partitioners> && ...) && std::is_empty_v<Name>;
};
template <class... Entries>
struct partitioner_requirement<partitioner_map<Entries...>> {
  static consteval auto holds() -> bool { return (partitioner_requirement<Entries>::holds() && ...); }
  static constexpr bool is_stateless = (partitioner_requirement<Entries>::is_stateless && ...);
};

}  // namespace baton::detail
