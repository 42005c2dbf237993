// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The candidates of a search for a plan within limits. A candidate is one form for each node (one of the kernels that support the node, see
// `node_forms`), and a memory policy.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/node_forms.hpp>
#include <baton/plan/detail/step_demand.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/shared/chosen_policy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A candidate: one form for each node, and a memory policy. `candidate_builder` builds the base candidates. A variant of a base candidate
/// has forms that need less flash for some nodes (see `flash_variants`).
struct plan_candidate {
  std::uint32_t policy = 0;            ///< position in the list of policies
  std::uint32_t base = 0;              ///< for a variant: the position of the base candidate; otherwise: the candidate's own position
  std::uint64_t instructions = 0;      ///< the instructions of one inference if no node runs row by row or is cut into slices
  std::int64_t demand = 0;             ///< the largest demand of a node (the bytes that are live while the node runs, see `step_demand`)
  vector<std::uint8_t> forms;          ///< indexed by node: the index of its form in `node_forms::forms`
  std::uint64_t min_instructions = 0;  ///< for a base candidate: the minimum of `instructions`, over the candidate and its variants
};

/// Returns the sum of the instructions of all nodes with the given forms.
constexpr auto instructions_of(span<const node_forms> nodes, span<const std::uint8_t> forms) -> std::uint64_t {
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) sum += nodes[n].count == 0 ? 0 : nodes[n][forms[n]].cost.instructions;
  return sum;
}

/// Sorts the candidates at position `first` and above by `instructions`. Candidates with equal costs keep their order.
constexpr void sort_by_cost(vector<plan_candidate>& candidates, std::size_t first) {
  for (auto i = first + 1; i < candidates.size(); ++i) {
    for (auto at = i; at != first && candidates[at].instructions < candidates[at - 1].instructions; --at) {
      std::swap(candidates[at], candidates[at - 1]);
    }
  }
}

/// Returns the form of a node with the fewest instructions, among the forms for which `is_allowed(form)` is true. Returns 0 if no form is
/// allowed.
template <class IsAllowed>
constexpr auto cheapest_form(const node_forms& node, IsAllowed is_allowed) -> std::uint8_t {
  std::uint8_t best = 0;
  bool is_found = false;
  for (std::uint8_t f = 0; f < node.count; ++f) {
    if (!is_allowed(f) || (is_found && node[f].cost.instructions >= node[best].cost.instructions)) continue;
    best = f;
    is_found = true;
  }
  return best;
}

/// Builds the candidates. The candidates depend on the program, the kernels, the costs and the policies, but not on limits.
///
/// Scratch is live only while its node runs. Therefore, if the memory of every step is bounded, the forms of other nodes do not affect the
/// best form of a node. It is the cheapest form within the bound. Each policy has these candidates:
/// - one with the cheapest form of every node;
/// - one for each of at most `max_levels` bounds on the memory of a step;
/// - one in which every node has its form with the least demand;
/// - one in which every node has its last form, which is the portable kernel in the usual lists;
/// - for a policy with segments (consecutive nodes that run row by row, see `stream_segment`), one for each of at most `max_levels` bounds
///   on the scratch of nodes that may be in a segment.
///
/// A policy without overlaps (`ignores_distances`) is assumed never to need less memory than a policy with overlaps. So if policies of both
/// kinds are tried, those without overlaps have only the candidate with the cheapest forms.
class candidate_builder {
  // These functions are first, because Clang does not evaluate a member template before its definition.
  constexpr void fill_demands(const chosen_policy& policy) {
    demands_.assign(nodes_.size() * node_forms::max_count, 0);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      for (std::uint8_t f = 0; f < nodes_[n].count; ++f) at(n, f) = demand_(n, nodes_[n][f], policy);
    }
  }
  /// Returns at most `max_levels` elements of `levels`, in ascending order and beginning with the smallest. The elements are evenly spaced
  /// in the sorted `levels`.
  static constexpr auto evenly_spaced(vector<std::int64_t> levels) -> vector<std::int64_t> {
    sort(levels.begin(), levels.end(), [](std::int64_t a, std::int64_t b) { return a < b; });
    vector<std::int64_t> some;
    const auto count = std::min(levels.size(), max_levels);
    for (std::size_t i = 0; i < count; ++i) some.push_back(levels[i * levels.size() / count]);
    return some;
  }
  constexpr auto at(std::uint32_t n, std::uint8_t f) -> std::int64_t& { return demands_[n * node_forms::max_count + f]; }
  constexpr auto min_demand(std::uint32_t n) -> std::int64_t {
    auto least = at(n, 0);
    for (std::uint8_t f = 1; f < nodes_[n].count; ++f) least = std::min(least, at(n, f));
    return least;
  }

  /// Adds the candidate with the cheapest forms for which `is_allowed(node, form)` is true, if `candidates_` does not contain it yet.
  template <class IsAllowed>
  constexpr void add(std::uint32_t policy, IsAllowed is_allowed) {
    plan_candidate result{policy, 0, 0, 0, vector<std::uint8_t>(nodes_.size(), 0)};
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      result.forms[n] = cheapest_form(nodes_[n], [&](std::uint8_t f) { return is_allowed(n, f); });
      result.demand = std::max(result.demand, at(n, result.forms[n]));
    }
    for (const auto& each : candidates_) {
      if (each.policy == policy && std::equal(each.forms.begin(), each.forms.end(), result.forms.begin())) return;
    }
    result.instructions = instructions_of(nodes_, result.forms);
    candidates_.push_back(std::move(result));
  }

 public:
  static constexpr std::size_t max_levels = 6;
  /// Returns the maximum number of candidates for the given policies.
  static constexpr auto max_candidates(span<const chosen_policy> policies) -> std::size_t {
    std::size_t count = 0;
    for (const auto& each : policies) count += (each.find_segments != nullptr ? 2 : 1) * max_levels + 3;
    return count;
  }

  constexpr candidate_builder(const program_view& program, span<const node_forms> nodes, const execution_plan& plan)
      : nodes_(nodes),
        demand_(program, plan) {}

  /// Returns the candidates in ascending order of `instructions`. Candidates with equal costs are in the order of the policies.
  constexpr auto run(span<const chosen_policy> policies) -> vector<plan_candidate> {
    const bool overlaps = std::any_of(policies.begin(), policies.end(), [](const auto& each) { return !each.ignores_distances; });
    for (std::uint32_t p = 0; p < policies.size(); ++p) {
      fill_demands(policies[p]);
      add(p, [](std::uint32_t, std::uint8_t) { return true; });
      if (policies[p].ignores_distances && overlaps) continue;
      add_levels(p);
      add_scratch_levels(p, policies[p]);
    }
    sort_by_cost(candidates_, 0);
    return std::move(candidates_);
  }

 private:
  constexpr void add_levels(std::uint32_t policy) {
    std::int64_t floor = 0;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) floor = std::max(floor, min_demand(n));
    const auto ceiling = candidates_.back().demand;
    vector<std::int64_t> levels;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      for (std::uint8_t f = 0; f < nodes_[n].count; ++f) {
        const auto level = std::max(floor, at(n, f));
        if (level < ceiling && std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
      }
    }
    if (levels.size() > max_levels) {
      levels.clear();
      for (std::size_t i = 0; i < max_levels; ++i) {
        levels.push_back(floor + (ceiling - floor) * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(max_levels));
      }
    }
    for (const auto level : levels) {
      add(policy, [&](std::uint32_t n, std::uint8_t f) { return at(n, f) <= level; });
    }
    add(policy, [&](std::uint32_t n, std::uint8_t f) { return at(n, f) == min_demand(n); });
    add(policy, [&](std::uint32_t n, std::uint8_t f) { return f + 1u == nodes_[n].count; });
  }

  /// Adds candidates with bounds on the scratch of all nodes that may be in a segment. If no form of such a node is within a bound, the
  /// node uses the form with the least scratch.
  constexpr void add_scratch_levels(std::uint32_t policy, const chosen_policy& chosen) {
    vector<std::int64_t> scratch(nodes_.size() * node_forms::max_count, -1);
    vector<std::int64_t> least(nodes_.size(), -1);
    vector<std::int64_t> levels;
    std::int64_t ceiling = 0;  // the largest scratch of the cheapest forms
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      for (std::uint8_t f = 0; f < nodes_[n].count; ++f) {
        const auto bytes = demand_.scratch_in_segment(n, nodes_[n][f], chosen);
        scratch[n * node_forms::max_count + f] = bytes;
        if (bytes >= 0 && (least[n] < 0 || bytes < least[n])) least[n] = bytes;
      }
      const auto cheapest = cheapest_form(nodes_[n], [](std::uint8_t) { return true; });
      ceiling = std::max(ceiling, scratch[n * node_forms::max_count + cheapest]);
    }
    for (const auto level : scratch) {
      if (level >= 0 && level < ceiling && std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
    }
    for (const auto level : evenly_spaced(std::move(levels))) {
      add(policy, [&](std::uint32_t n, std::uint8_t f) {
        const auto bytes = scratch[n * node_forms::max_count + f];
        return least[n] < 0 || (bytes >= 0 && bytes <= std::max(level, least[n]));
      });
    }
  }

  span<const node_forms> nodes_;
  step_demand demand_;
  vector<std::int64_t> demands_;  // the demands with the current policy, indexed by node and form
  vector<plan_candidate> candidates_;
};

}  // namespace baton::detail
