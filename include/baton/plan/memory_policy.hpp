// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The concept of a memory policy, which places the memory of a graph. The planner builds the problem and checks the placement.
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

/// The minimal type that satisfies the concept. Places the items one after the other, without reuse of memory.
struct memory_policy {
  static constexpr std::string_view name = "archetype";
  static constexpr auto place(const memory_problem& problem) -> placement {
    placement result;
    for (const auto& item : problem.items) {
      result.offsets.push_back(result.bytes);
      result.bytes += item.bytes;
    }
    return result;
  }
};

}  // namespace archetypes

/// A memory policy places the memory of a graph. Each graph is planned separately. The memory of a called graph is one item in the problem
/// of the calling graph. Members:
/// - `static constexpr std::string_view name`: a display name
/// - `static constexpr auto place(const baton::memory_problem& problem) -> baton::placement`: returns the offset of each item, and the
///   total size
/// - `static constexpr auto place_in_regions(const baton::memory_problem&, baton::span<const std::uint32_t> uses, const
///   baton::memory_regions&) -> baton::split_layout`, optional: places the items in two regions, of fast and of slow memory. The function
///   is called if the executor has two regions. `uses[i]` is the number of reads and writes of item i.
/// - `static constexpr bool ignores_distances = true;`, optional: the policy overlaps no items, so distances (how far operands and outputs
///   may overlap, see `min_distance`) are not collected.
/// - `static constexpr auto find_segments(const baton::unstreamed_plan&) -> baton::stream_plan`, optional: selects segments (consecutive
///   nodes that run row by row, see `stream_segment`). The function must return the result of
///   `memory_policies::row_streaming::find_segments`, or no segments. Other segments may be invalid, and the planner does not detect every
///   error: it checks only the rows, the memory and the distances of segments. Afterwards, `place` places the items of the plan with
///   segments. Segments that do not reduce the arena are discarded.
///
/// Laws: items that are live at the same time are disjoint, or overlap as far as a distance of the problem allows. Each offset is a
/// multiple of the alignment. No item ends after the total size `placement::bytes`. The planner checks these laws, and fails with
/// `invalid_policy` if one is violated. Therefore a placement can waste memory, but cannot change the outputs of a model. The placement
/// must depend on the problem alone, so that it is the same at compile time and at run time.
///
/// The library's policies are `memory_policies::no_overlap`, `memory_policies::no_reuse`, `memory_policies::in_place` and
/// `memory_policies::row_streaming`. Pass a custom policy to an executor as `baton::planned_by<my_policy>`, and to `plan_memory` as an
/// object of that type.
template <class T>
concept memory_policy = requires(const memory_problem& problem) {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::place(problem) } -> std::same_as<placement>;
} && (!requires { &T::find_segments; } || requires(const unstreamed_plan& baseline) {
  { T::find_segments(baseline) } -> std::same_as<stream_plan>;
});
static_assert(memory_policy<archetypes::memory_policy>);

/// A memory policy as an object, and as an executor service: `baton::executor<model, baton::planned_by<my_policy>>`.
template <class Policy>
struct planned_by {
  using policy = Policy;
};

/// Places the items in the order of `before`, a comparison of two lifetimes; equal items keep their order. Each item gets the lowest offset
/// at which it overlaps no item that is already placed and live at the same time. O(n log n) for n items if few items are live at the same
/// time.
template <class Before>
constexpr auto place_in_order(span<const lifetime> items, Before before) -> memory_layout {
  return detail::first_fit(items).run(detail::sorted_items(items, before));
}

}  // namespace baton
