// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy concept: what places the memory of a graph. The planner says what needs memory, and checks what the policy makes of it.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/first_fit.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/shared/regions.hpp>
#include <baton/plan/shared/streams.hpp>

#include <concepts>
#include <string_view>

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
/// none ends past `bytes`. The planner checks all of it (`invalid_policy`): a policy can cost memory, never correctness. The same problem
/// has the same placement, in the compiler and at run time.
/// Models: `placing::best`, `placing::apart`, `placing::overlap`. One of your own is given to an executor as
/// `baton::planned_by<my_policy>`, and to `plan_memory` as an object of that type.
template <class T>
concept memory_policy = requires(const memory_problem& problem) {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::place(problem) } -> std::same_as<placement>;
} && (!requires { &T::find_segments; } || requires(const unstreamed_plan& without) {
  { T::find_segments(without) } -> std::same_as<stream_plan>;
});
static_assert(memory_policy<archetypes::memory_policy>);

/// A policy as an object, and as a service of an executor: `baton::executor<model, baton::planned_by<my_policy>>`.
template <class Policy>
struct planned_by {
  using policy = Policy;
};

/// Each item in an order of one's own (`before`, of two lifetimes), the earlier one first where it gives none, at the lowest offset where
/// it overlaps nothing that lives with it. Near-linear where little lives at once.
template <class Before>
constexpr auto place_in_order(span<const lifetime> needs, Before before) -> memory_layout {
  return detail::first_fit(needs).run(detail::ordered(needs, before));
}

}  // namespace baton
