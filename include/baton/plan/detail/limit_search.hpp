// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The search for the cheapest candidate that keeps limits. A candidate is one form for each node (one of the kernels that support the
// node), and a memory policy (see `plan_candidate`).
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

/// The state of a search. The search first considers the base candidates, then their variants, in which some nodes have forms that need
/// less flash (`flash_variants`). Each of these two groups is in ascending order of `plan_candidate::instructions`. These instructions do
/// not include the additional costs of nodes that are cut into slices (see `node_cut`). A slice is the work of one call of `step` (see
/// `in_slices`). Variants exist only if flash is limited. A variant can be selected only if its base candidate keeps the limits of arena
/// and slices. Otherwise, the search could find a cheaper plan with a limit of flash than without one, because only this limit adds
/// variants.
struct limit_search {
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::size_t max_bases = 33;   ///< at least `candidate_builder::max_candidates` of all policies
  static constexpr std::size_t limit_count = 3;  ///< arena, flash and slices, in this order

  /// The smallest limits that permit the selection of a candidate. For arena and slices, the limits of a variant are at least the limits of
  /// its base candidate. The limit of slices is the length of the longest slice if every node is cut into the shortest possible slices.
  struct smallest_limits {
    bool is_planned = false;
    std::uint64_t arena_bytes = 0;
    std::uint64_t flash_bytes = 0;
    std::uint64_t slice_instructions = 0;
    std::uint32_t slice_node = 0;  ///< the node with the longest of these slices
    bool keeps_slices = false;     ///< whether the plan keeps the given limit of slices; for a variant, also the plan of its base
  };
  /// The minima of the limits over several candidates.
  struct minima {
    std::array<std::uint64_t, limit_count> values{limits::none, limits::none, limits::none};
    std::uint32_t slice_node = npos;  ///< the node whose slice has `values[2]` instructions

    constexpr void add_arena(const smallest_limits& each) { values[0] = std::min(values[0], each.arena_bytes); }
    constexpr void add_flash(const smallest_limits& each) { values[1] = std::min(values[1], each.flash_bytes); }
    constexpr void add_slice(const smallest_limits& each) {
      if (each.slice_instructions >= values[2]) return;
      values[2] = each.slice_instructions;
      slice_node = each.slice_node;
    }
  };

  std::uint32_t best = none;
  limited_plan::needs best_estimate{};
  minima alone{};        ///< the minimum of each limit over all candidates
  minima with_others{};  ///< the minimum of each limit over the candidates that keep the other two limits
  // All defaults of an element are zero, because GCC 12 omits some of the stores that initialize an array of structs with other defaults.
  std::array<smallest_limits, max_bases> of_bases{};  ///< indexed by base candidate
  bool is_any_planned = false;

  /// True if a candidate that needs at least `instructions` instructions must be planned. False if the best candidate so far needs at most
  /// `instructions`. For a base candidate, `instructions` is the minimum over the candidate and its variants, because a variant requires a
  /// planned base candidate.
  constexpr auto must_plan(std::uint64_t instructions) const -> bool { return best == none || instructions < best_estimate.instructions; }

  /// Adds candidate `at`, which has been planned. If `at` is a variant, `base` is its base candidate; otherwise, `base` is `at`.
  constexpr void add(std::uint32_t at, std::uint32_t base, const plan_needs& estimated, const limits& within) {
    const auto& estimate = estimated.needs;
    is_any_planned = true;
    smallest_limits own{true,
                        estimate.arena_bytes,
                        estimate.flash_bytes,
                        estimated.min_slice_instructions,
                        estimated.min_slice_node,
                        estimate.slice_instructions <= within.slice_instructions};
    if (base == at) {
      of_bases[base] = own;
    } else {
      const auto& of_base = of_bases[base];
      // The base is not planned if it does not fit the two regions of a split arena, or if it cannot lead to a better result.
      if (!of_base.is_planned) return;
      own.arena_bytes = std::max(own.arena_bytes, of_base.arena_bytes);
      if (of_base.slice_instructions > own.slice_instructions) {
        own.slice_instructions = of_base.slice_instructions;
        own.slice_node = of_base.slice_node;
      }
      own.keeps_slices = own.keeps_slices && of_base.keeps_slices;
    }
    const bool keeps_arena = own.arena_bytes <= within.arena_bytes;
    const bool keeps_flash = own.flash_bytes <= within.flash_bytes;
    alone.add_arena(own);
    alone.add_flash(own);
    alone.add_slice(own);
    if (keeps_flash && own.keeps_slices) with_others.add_arena(own);
    if (keeps_arena && own.keeps_slices) with_others.add_flash(own);
    if (keeps_arena && keeps_flash) with_others.add_slice(own);
    if (!keeps_arena || !keeps_flash || !own.keeps_slices || !must_plan(estimate.instructions)) return;
    best = at;
    best_estimate = estimate;
  }

  /// Returns a failure if candidates were planned, but none can be selected. The reason states a minimum for each limit that is set:
  /// - the minimum over all candidates, if a limit is too small for all candidates, or if every candidate breaks at least two limits;
  /// - otherwise, the minimum over the candidates that keep the other limits; a limit is omitted if no candidate keeps the others.
  ///
  /// For slices, the reason also names the node with the longest slice.
  constexpr auto failed(const program_view& program, const limits& within) const -> failure {
    if (best != none || !is_any_planned) return {};
    constexpr std::array<const char*, limit_count> names{"arena_bytes", "flash_bytes", "slice_instructions"};
    const std::array<std::uint64_t, limit_count> values{within.arena_bytes, within.flash_bytes, within.slice_instructions};
    bool keeps_each = true;
    bool keeps_two = false;
    for (std::size_t limit = 0; limit < limit_count; ++limit) {
      keeps_each = keeps_each && alone.values[limit] <= values[limit];
      keeps_two = keeps_two || (values[limit] != limits::none && with_others.values[limit] != limits::none);
    }
    const minima& stated = keeps_each && keeps_two ? with_others : alone;
    text_buffer reason;
    if (keeps_each && keeps_two) append(reason, "each limit can be kept alone, but not all together; raise one of them");
    if (keeps_each && !keeps_two)
      append(reason, "each limit can be kept alone, but no two together; raise two of them; minimum of each limit alone");
    for (std::size_t limit = 0; limit < limit_count; ++limit) {
      if (values[limit] == limits::none || stated.values[limit] == limits::none) continue;
      if (!reason.empty()) append(reason, "; ");
      // The name and the minimum are adjacent, so that a compile error prints them in one piece (`end_of_piece`).
      append(reason, view(join(names[limit], " >= ", stated.values[limit], " (limit ", values[limit])));
      const auto node = limit == 2 ? stated.slice_node : npos;
      if (node != npos) append(reason, view(join(", node ", program.text(program.nodes[node].name))));
      append(reason, ")");
    }
    return broken<"limits_too_small">(view(reason));
  }
};

}  // namespace baton::detail
