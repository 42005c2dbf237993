// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The policy for little memory: outputs lie on operands that nothing reads later, as near as kernels allow.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/plan/detail/overlap_search.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/placing/best.hpp>
#include <baton/plan/shared/ways_of_placing.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace baton::placing {

/// Looks for a placement of as few bytes as any can have in which each output lies on its dying operands as far as distances allow; where
/// it finds none within a fixed number of steps, for the least that it finds. Never more than `best`. The inputs of a model are overwritten
/// while it runs.
struct overlap {
  static constexpr std::string_view name = "overlap";

  static constexpr auto place(const memory_problem& problem) -> placement {
    if (problem.distances.empty()) return best::place(problem);
    detail::overlap_search search(problem);
    const auto bound = search.lower_bound();
    const auto of_pass = looks_of_item * static_cast<std::int64_t>(problem.items.size());
    auto looks = std::max(detail::looks_for(problem.items) / 3 * 2, 2 * of_pass);
    placement made;
    if (!take(problem, search, bound, looks / 2, looks, made)) {
      made = best::place(problem);
      auto too_little = bound;
      while (looks >= of_pass && too_little + problem.alignment < made.bytes) {
        const auto middle = too_little + (made.bytes - too_little) / 2 / problem.alignment * problem.alignment;
        if (!take(problem, search, middle, std::max(looks / 3, of_pass), looks, made)) too_little = middle;
      }
    }
    made.is_optimal = made.bytes <= bound;
    made.lower_bound = std::min(bound, problem.lower_bound);
    return made;
  }

 private:
  /// A look takes some twenty of Clang's steps; all of them a quarter of its default limit where there are few items. An item that fits
  /// where it is tried first takes less than this.
  static constexpr std::int64_t looks_of_item = 12;

  /// Searches with so many of the looks that are left for a placement in so many bytes, and takes it.
  static constexpr auto take(const memory_problem& problem, detail::overlap_search& search, std::uint64_t bytes, std::int64_t some,
                             std::int64_t& looks, placement& made) -> bool {
    looks -= some;
    const bool is_found = search.run(bytes, some);
    looks += std::max<std::int64_t>(some, 0);
    if (!is_found) return false;
    made = {{search.offsets(), 0}, "by distances"};
    for (std::size_t i = 0; i < problem.items.size(); ++i) made.bytes = std::max(made.bytes, made.offsets[i] + problem.items[i].bytes);
    return true;
  }
};
static_assert(memory_policy<overlap>);

}  // namespace baton::placing
