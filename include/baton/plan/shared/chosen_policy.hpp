// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A memory policy as plain data, and the diagnostics for types that are not memory policies.
#pragma once

#include <baton/core/span.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/streams.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

namespace detail {

/// A memory policy that can place items in the two regions of a split arena (see `memory_regions`).
template <class T>
concept splitting_memory_policy =
    memory_policy<T> && requires(const memory_problem& problem, span<const std::uint32_t> uses, const memory_regions& regions) {
      { T::place_in_regions(problem, uses, regions) } -> std::same_as<split_layout>;
    };

static_assert(!splitting_memory_policy<archetypes::memory_policy>);

/// A memory policy that can select nodes to run row by row.
template <class T>
concept streaming_memory_policy = memory_policy<T> && requires { &T::find_segments; };

static_assert(!streaming_memory_policy<archetypes::memory_policy>);

}  // namespace detail

/// Reports an error at compile time if a type is not a memory policy.
template <class T>
consteval auto require_memory_policy() -> bool {
  constexpr bool has_a_name = requires {
    { T::name } -> std::convertible_to<std::string_view>;
  };
  constexpr bool places = requires(const memory_problem& problem) {
    { T::place(problem) } -> std::same_as<placement>;
  };
  constexpr bool is_find_segments_valid = !has_a_name || !places || memory_policy<T>;
  static_assert(has_a_name,
                "baton not_a_memory_policy: the policy type has no name; write: static constexpr std::string_view name = \"...\";");
  static_assert(
      places || !has_a_name,
      "baton not_a_memory_policy: the policy type has no function place; write: static constexpr auto place(const baton::memory_problem& "
      "problem) -> baton::placement");
  static_assert(is_find_segments_valid,
                "baton not_a_memory_policy: the signature of find_segments is wrong; write: static constexpr auto find_segments("
                "const baton::unstreamed_plan& baseline) -> baton::stream_plan");
  return memory_policy<T>;
}

/// A memory policy as plain data, so that the planner is compiled once for all policies. If the type is not a policy, an error is reported,
/// and `archetypes::memory_policy` replaces the type.
struct chosen_policy {
  std::string_view name;
  placement (*place)(const memory_problem&);
  bool ignores_distances;
  /// Null if the policy cannot split an arena.
  split_layout (*place_in_regions)(const memory_problem&, span<const std::uint32_t>, const memory_regions&) = nullptr;
  /// Null if the policy does not run nodes row by row.
  stream_plan (*find_segments)(const unstreamed_plan&) = nullptr;

  template <class Policy>
  constexpr chosen_policy(planned_by<Policy>)  // NOLINT(google-explicit-constructor)
      : chosen_policy(std::type_identity<std::conditional_t<memory_policy<Policy>, Policy, archetypes::memory_policy>>{}) {
    // `is_checked` is a variable, because Clang 16 emits an undefined symbol for a consteval call whose result is cast to void.
    [[maybe_unused]] constexpr bool is_checked = require_memory_policy<Policy>();
  }

 private:
  template <class Policy>
  constexpr explicit chosen_policy(std::type_identity<Policy>)
      : name(Policy::name),
        place([](const memory_problem& problem) -> placement { return Policy::place(problem); }),
        ignores_distances(requires { requires Policy::ignores_distances; }) {
    if constexpr (detail::streaming_memory_policy<Policy>) {
      find_segments = [](const unstreamed_plan& baseline) -> stream_plan { return Policy::find_segments(baseline); };
    }
    if constexpr (detail::splitting_memory_policy<Policy>) {
      place_in_regions = [](const memory_problem& problem, span<const std::uint32_t> uses, const memory_regions& regions) -> split_layout {
        return Policy::place_in_regions(problem, uses, regions);
      };
    }
  }
};

}  // namespace baton
