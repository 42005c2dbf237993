// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The search for the cheapest candidate that keeps limits.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/plan_estimator.hpp>
#include <baton/plan/limits.hpp>
#include <baton/plan/shared/rules.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The state of a search. The search first considers the base candidates, which have no exchanges (`flash_variants`), and then the variants
/// of base candidates. Each of these two groups is in ascending order of `plan_candidate::instructions`. These instructions do not include
/// the additional calls for rows and chunks. A variant can be selected only if its base candidate keeps the limits of arena and slices.
/// Therefore a tighter limit never leads to a cheaper result than a looser limit.
struct limit_search {
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::size_t max_bases = 32;
  static constexpr std::size_t limit_count = 3;  ///< arena, flash and slices, in this order

  /// The smallest limits that permit the selection of a candidate. Those of a variant are at least those of its base candidate, except for
  /// flash. For slices, nodes are cut into the shortest possible slices.
  struct smallest_limits {
    std::array<std::uint64_t, limit_count> values{limits::none, limits::none, limits::none};
    std::uint32_t slice_node = npos;  ///< the node with the longest of these slices
    bool keeps_slices = false;        ///< whether the plan keeps the given limit of slices
  };
  /// The minimum of one limit over several candidates.
  struct minimum {
    std::uint64_t value = limits::none;
    std::uint32_t node = npos;  ///< if slices are limited: the node with the slice

    constexpr void add(const smallest_limits& each, std::size_t limit) {
      if (each.values[limit] >= value) return;
      value = each.values[limit];
      node = limit == 2 ? each.slice_node : npos;
    }
  };

  std::uint32_t best = none;
  limited_plan::needs best_estimate{};
  std::array<minimum, limit_count> alone{};           ///< indexed by limit: the minimum over all candidates
  std::array<minimum, limit_count> with_others{};     ///< the same, over the candidates that keep the other two limits
  std::array<smallest_limits, max_bases> of_bases{};  ///< indexed by base candidate
  bool is_any_planned = false;

  /// True if a candidate with at least `instructions` instructions must be planned. False if the best candidate so far costs no more.
  constexpr auto must_plan(std::uint64_t instructions) const -> bool { return best == none || instructions < best_estimate.instructions; }

  /// Adds candidate `at`, which has been planned. If `at` is a variant, `base` is its base candidate; otherwise, `base` is `at`.
  constexpr void add(std::uint32_t at, std::uint32_t base, const plan_needs& estimated, const limits& within) {
    const auto& estimate = estimated.needs;
    is_any_planned = true;
    smallest_limits own{{estimate.arena_bytes, estimate.flash_bytes, estimated.min_slice_instructions},
                        estimated.min_slice_node,
                        estimate.slice_instructions <= within.slice_instructions};
    if (base == at) {
      of_bases[base] = own;
    } else {
      const auto& of_base = of_bases[base];
      if (of_base.values[0] == limits::none) return;  // the base candidate does not fit two regions
      own.values[0] = std::max(own.values[0], of_base.values[0]);
      if (of_base.values[2] > own.values[2]) {
        own.values[2] = of_base.values[2];
        own.slice_node = of_base.slice_node;
      }
      own.keeps_slices = own.keeps_slices && of_base.keeps_slices;
    }
    const std::array<bool, limit_count> keeps{own.values[0] <= within.arena_bytes, own.values[1] <= within.flash_bytes, own.keeps_slices};
    for (std::size_t limit = 0; limit < limit_count; ++limit) {
      alone[limit].add(own, limit);
      if (keeps[(limit + 1) % limit_count] && keeps[(limit + 2) % limit_count]) with_others[limit].add(own, limit);
    }
    if (!keeps[0] || !keeps[1] || !keeps[2] || !must_plan(estimate.instructions)) return;
    best = at;
    best_estimate = estimate;
  }

  /// Returns a failure if candidates were planned, but none can be selected. If a limit is too small for all candidates, the reason states
  /// the minimum of each limit. Otherwise, it states for each limit the minimum over the candidates that keep the other limits, if there
  /// are any. For slices, the reason also names the node with the longest slice.
  constexpr auto failed(const program_view& program, const limits& within) const -> failure {
    if (best != none || !is_any_planned) return {};
    constexpr std::array<const char*, limit_count> names{"arena_bytes", "flash_bytes", "slice_instructions"};
    const std::array<std::uint64_t, limit_count> given{within.arena_bytes, within.flash_bytes, within.slice_instructions};
    text_buffer reason;
    const auto add = [&](std::size_t limit, const minimum& least) {
      if (given[limit] == limits::none || least.value == limits::none) return;
      if (!reason.empty()) append(reason, "; ");
      // The name and the minimum are adjacent, so that a compile error prints them in one piece (`end_of_piece`).
      append(reason, view(join(names[limit], " >= ", least.value, " (limit ", given[limit])));
      if (least.node != npos) append(reason, view(join(", node ", program.text(program.nodes[least.node].name))));
      append(reason, ")");
    };
    bool keeps_each = true;
    bool keeps_two = false;
    for (std::size_t limit = 0; limit < limit_count; ++limit) {
      keeps_each = keeps_each && alone[limit].value <= given[limit];
      keeps_two = keeps_two || (given[limit] != limits::none && with_others[limit].value != limits::none);
    }
    const auto& stated = keeps_each && keeps_two ? with_others : alone;
    if (keeps_each && keeps_two) append(reason, "each limit can be kept alone, but not all together; raise one of them");
    if (keeps_each && !keeps_two) append(reason, "each limit can be kept alone, but no two together; raise two of them; the least alone");
    for (std::size_t limit = 0; limit < limit_count; ++limit) add(limit, stated[limit]);
    return broken<"limits_too_small">(view(reason));
  }
};

}  // namespace baton::detail
