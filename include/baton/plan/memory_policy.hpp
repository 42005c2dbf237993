// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy concept: what places the memory of a graph. The planner says what needs memory, and checks what the policy makes of it.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/regions.hpp>
#include <baton/plan/streams.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton {

namespace archetypes {

/// The smallest policy: one item after the other.
struct memory_policy {
  static constexpr std::string_view name = "archetype";
  static constexpr auto place(const memory_problem& problem) -> placement {
    placement made;
    for (const auto& item : problem.items) {
      made.offsets.push_back(made.bytes);
      made.bytes += item.bytes;
    }
    return made;
  }
};

}  // namespace archetypes

/// A memory policy places what needs memory. The memory of each graph is one problem; that of a graph that a node calls is an item of the
/// calling graph's.
/// - `static constexpr std::string_view name`: its name, for people
/// - `static constexpr auto place(const baton::memory_problem& problem) -> baton::placement`: by item its offset, and the bytes of all
/// - `static constexpr auto place_in_regions(const baton::memory_problem&, baton::span<const std::uint32_t> uses, const
///   baton::memory_regions&) -> baton::split_layout`, only if it can split an arena over two memories; the executor asks for it where
///   it is given two. `uses` says, by item, how often it is read or written.
/// - `static constexpr bool ignores_distances = true;`, only if it overlaps nothing: then no kernel is asked for any.
/// - `static constexpr auto find_segments(const baton::unstreamed_plan&) -> baton::stream_plan`, only if nodes may run by rows: those that
///   `placing::stream::find_segments` finds, or none; of these the planner checks rows and distances alone. What the policy places then
///   is the rest. Where the arena is no smaller for segments, there are none.
/// Laws: items that live together lie apart, or as near as a distance of the problem allows; every offset is a multiple of the alignment;
/// none ends past `bytes`. The planner checks all of it (`unsound_policy`): a policy can cost memory, never correctness. The same problem
/// has the same placement, in the compiler and at run time.
/// Models: `placing::best`, `placing::apart`, `placing::overlap`. One of your own is given to an executor as
/// `baton::planned_by<my_policy>`, behind the plan options, and to `plan_memory` as an object of that type.
template <class T>
concept memory_policy = requires(const memory_problem& problem) {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::place(problem) } -> std::same_as<placement>;
} && (!requires { &T::find_segments; } || requires(const unstreamed_plan& without) {
  { T::find_segments(without) } -> std::same_as<stream_plan>;
});
static_assert(memory_policy<archetypes::memory_policy>);

namespace detail {

/// A policy that can split an arena over two memories.
template <class T>
concept splitting_memory_policy =
    memory_policy<T> && requires(const memory_problem& problem, span<const std::uint32_t> uses, const memory_regions& regions) {
      { T::place_in_regions(problem, uses, regions) } -> std::same_as<split_layout>;
    };

}  // namespace detail
static_assert(!detail::splitting_memory_policy<archetypes::memory_policy>);

namespace detail {

/// A policy with which nodes may run by rows.
template <class T>
concept streaming_memory_policy = memory_policy<T> && requires { &T::find_segments; };

}  // namespace detail
static_assert(!detail::streaming_memory_policy<archetypes::memory_policy>);

namespace detail {

/// Stops the compiler with a sentence if a type is no memory policy.
template <class T>
consteval auto require_memory_policy() -> bool {
  constexpr bool has_a_name = requires {
    { T::name } -> std::convertible_to<std::string_view>;
  };
  constexpr bool places = requires(const memory_problem& problem) {
    { T::place(problem) } -> std::same_as<placement>;
  };
  constexpr bool finds_segments = !has_a_name || !places || memory_policy<T>;
  static_assert(has_a_name, "baton not_a_memory_policy: a policy has a name; write: static constexpr std::string_view name = \"...\";");
  static_assert(places || !has_a_name,
                "baton not_a_memory_policy: a policy places items; write: static constexpr auto place(const baton::memory_problem& "
                "problem) -> baton::placement");
  static_assert(finds_segments,
                "baton not_a_memory_policy: a policy that runs nodes by rows finds segments; write: static constexpr auto find_segments("
                "const baton::unstreamed_plan& without) -> baton::stream_plan");
  return memory_policy<T>;
}

}  // namespace detail

/// A policy as an object, and as a service of an executor: `baton::executor<model, baton::portable_kernels, baton::plan_options{},
/// baton::planned_by<my_policy>>`.
template <class Policy>
struct planned_by {
  using policy = Policy;
};

/// A policy as plain data, so that the planner is compiled once for all of them. In the position of what is none, which has been said,
/// stands the archetype.
struct chosen_policy {
  std::string_view name;
  placement (*place)(const memory_problem&);
  bool ignores_distances;
  /// Null: it cannot split an arena.
  split_layout (*place_in_regions)(const memory_problem&, span<const std::uint32_t>, const memory_regions&) = nullptr;
  /// Null: no nodes run by rows.
  stream_plan (*find_segments)(const unstreamed_plan&) = nullptr;

  template <class Policy>
  constexpr chosen_policy(planned_by<Policy>)  // NOLINT(google-explicit-constructor)
      : chosen_policy(std::type_identity<std::conditional_t<memory_policy<Policy>, Policy, archetypes::memory_policy>>{}) {
    [[maybe_unused]] constexpr bool is_one =
        detail::require_memory_policy<Policy>();  // Clang 16 leaves a call of it, cast to void, to the linker
  }

 private:
  template <class Policy>
  constexpr explicit chosen_policy(std::type_identity<Policy>)
      : name(Policy::name),
        place([](const memory_problem& problem) -> placement { return Policy::place(problem); }),
        ignores_distances(requires { requires Policy::ignores_distances; }) {
    if constexpr (detail::streaming_memory_policy<Policy>) {
      find_segments = [](const unstreamed_plan& without) -> stream_plan { return Policy::find_segments(without); };
    }
    if constexpr (detail::splitting_memory_policy<Policy>) {
      place_in_regions = [](const memory_problem& problem, span<const std::uint32_t> uses, const memory_regions& regions) -> split_layout {
        return Policy::place_in_regions(problem, uses, regions);
      };
    }
  }
};

}  // namespace baton
