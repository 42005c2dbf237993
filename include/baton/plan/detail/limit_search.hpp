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

  std::uint32_t best = none;
  limited_plan::needs best_estimate{};
  /// The minimum of each member over the planned candidates. For `slice_instructions`, nodes are cut into the shortest possible slices.
  limited_plan::needs least{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
  std::array<bool, max_bases> base_keeps{};  ///< indexed by base candidate: whether it keeps the limits of arena and slices
  std::uint32_t min_slice_node = npos;       ///< the node with the slice `least.slice_instructions`
  bool is_any_planned = false;

  /// True if a candidate with at least `instructions` instructions must be planned. False if the best candidate so far costs no more.
  constexpr auto must_plan(std::uint64_t instructions) const -> bool { return best == none || instructions < best_estimate.instructions; }

  /// Adds candidate `at`, which has been planned. If `at` is a variant, `base` is its base candidate; otherwise, `base` is `at`.
  constexpr void add(std::uint32_t at, std::uint32_t base, const plan_needs& estimated, const limits& within) {
    const auto& estimate = estimated.needs;
    is_any_planned = true;
    least.arena_bytes = std::min(least.arena_bytes, estimate.arena_bytes);
    least.flash_bytes = std::min(least.flash_bytes, estimate.flash_bytes);
    if (estimated.min_slice_instructions < least.slice_instructions) {
      least.slice_instructions = estimated.min_slice_instructions;
      min_slice_node = estimated.min_slice_node;
    }
    least.instructions = std::min(least.instructions, estimate.instructions);
    const bool keeps = estimate.arena_bytes <= within.arena_bytes && estimate.slice_instructions <= within.slice_instructions;
    if (base == at) base_keeps[base] = keeps;
    if (!keeps || !base_keeps[base] || estimate.flash_bytes > within.flash_bytes || !must_plan(estimate.instructions)) return;
    best = at;
    best_estimate = estimate;
  }

  /// Returns a failure if candidates were planned, but none can be selected. The reason states the minimum of each limited quantity, and
  /// the node with the slice `least.slice_instructions`. Each minimum may belong to a different candidate.
  constexpr auto failed(const program_view& program, const limits& within) const -> failure {
    if (best != none || !is_any_planned) return {};
    text_buffer reason;
    const auto add = [&](const char* what, std::uint64_t limit, std::uint64_t min, std::uint32_t node = npos) {
      if (limit == limits::none) return;
      if (!reason.empty()) append(reason, ", ");
      append(reason, view(join(what, " ", limit, " (needed: ", min)));
      if (node != npos) append(reason, view(join(" for node ", program.text(program.nodes[node].name))));
      append(reason, ")");
    };
    add("arena_bytes", within.arena_bytes, least.arena_bytes);
    add("flash_bytes", within.flash_bytes, least.flash_bytes);
    add("slice_instructions", within.slice_instructions, least.slice_instructions, min_slice_node);
    return broken<"limits_too_small">(view(reason));
  }
};

}  // namespace baton::detail
