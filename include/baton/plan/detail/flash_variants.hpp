// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Variants of a candidate that need less flash. A candidate is one form for each node (one of the kernels that support the node), and a
// memory policy (see `plan_candidate`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/flash_estimate.hpp>
#include <baton/plan/detail/node_forms.hpp>
#include <baton/plan/detail/plan_candidates.hpp>
#include <baton/plan/detail/step_demand.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/shared/chosen_policy.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The maximum number of variants of one candidate.
inline constexpr std::size_t max_variants = 12;

/// The replacement of a node's form by a form that needs less flash. A form is one of the kernels that support the node (see `node_forms`).
struct flash_exchange {
  std::uint32_t node = 0;
  std::uint8_t form = 0;       // the new form
  double cost = 0;             // additional instructions for each saved byte
  std::uint32_t position = 0;  // the position in the list of exchanges, which orders exchanges of equal cost
};

/// Appends the exchanges of node `n`. The first exchange replaces `form`, and each later one replaces the form of the previous exchange. An
/// exchange selects the form that saves the most bytes for each additional instruction, among the forms with a demand of at most
/// `max_demand`. The `cost` of an exchange is at least the cost of the previous exchange of the node.
constexpr void add_exchanges(std::uint32_t n, std::uint8_t form, std::int64_t max_demand, const node_forms& of, const flash_estimate& flash,
                             const step_demand& demand, const chosen_policy& policy, vector<flash_exchange>& to) {
  std::array<std::uint64_t, node_forms::max_count> bytes{};
  std::array<bool, node_forms::max_count> is_allowed{};
  for (std::uint8_t f = 0; f < of.count; ++f) {
    bytes[f] = flash.of_node(n, f);
    is_allowed[f] = demand(n, of[f], policy) <= max_demand;
  }
  const auto cost_of = [&](std::uint8_t f) {
    const auto more = static_cast<double>(of[f].cost.instructions) - static_cast<double>(of[form].cost.instructions);
    return more / static_cast<double>(bytes[form] - bytes[f]);
  };
  for (bool is_first = true;; is_first = false) {
    auto best = form;
    for (std::uint8_t f = 0; f < of.count; ++f) {
      if (!is_allowed[f] || bytes[f] >= bytes[form] || (best != form && cost_of(f) >= cost_of(best))) continue;
      best = f;
    }
    if (best == form) return;
    const auto cost = cost_of(best);
    to.push_back({n, best, is_first ? cost : std::max(cost, to.back().cost), static_cast<std::uint32_t>(to.size())});
    form = best;
  }
}

/// Returns variants of a candidate, each with less flash than the previous one. If nodes share constants, a variant may need more, because
/// `flash_estimate::of_node` counts a shared constant for each node. Exchanges are applied one after the other, beginning with those that
/// save the most bytes for each additional instruction. An exchange never raises `plan_candidate::demand` (the memory of the largest step).
/// Each variant has the exchanges of the previous variant and at least one more exchange. The last variant has all exchanges. The variants
/// do not depend on `limits`; the caller compares them with the limits.
constexpr auto flash_variants(const plan_candidate& base, span<const node_forms> nodes, const flash_estimate& flash,
                              const step_demand& demand, const chosen_policy& policy) -> vector<plan_candidate> {
  vector<flash_exchange> exchanges;
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].count > 1) add_exchanges(n, base.forms[n], base.demand, nodes[n], flash, demand, policy, exchanges);
  }
  sort(exchanges.begin(), exchanges.end(),
       [](const flash_exchange& a, const flash_exchange& b) { return a.cost < b.cost || (a.cost == b.cost && a.position < b.position); });
  vector<plan_candidate> variants;
  const auto count = std::min(exchanges.size(), max_variants);
  auto variant = base;
  for (std::size_t v = 0, e = 0; v < count; ++v) {
    for (const auto end = (v + 1) * exchanges.size() / count; e < end; ++e) variant.forms[exchanges[e].node] = exchanges[e].form;
    variant.instructions = instructions_of(nodes, variant.forms);
    variant.min_instructions = variant.instructions;
    variants.push_back(variant);
  }
  return variants;
}

/// Returns the candidates of a program. If `prepared` is not empty, the variants of the candidates follow. `plan` is a plan in which no
/// output overlaps an operand.
constexpr auto all_candidates(const program_view& program, span<const node_forms> nodes, const execution_plan& plan,
                              span<const chosen_policy> policies, span<const prepared_size> prepared) -> vector<plan_candidate> {
  auto candidates = candidate_builder(program, nodes, plan).run(policies);
  const auto bases = static_cast<std::uint32_t>(candidates.size());
  for (std::uint32_t b = 0; b < bases; ++b) {
    candidates[b].base = b;
    candidates[b].min_instructions = candidates[b].instructions;
  }
  if (prepared.empty()) return candidates;
  const flash_estimate flash(program, nodes, prepared);
  const step_demand demand(program, plan);
  for (std::uint32_t b = 0; b < bases; ++b) {
    for (auto& each : flash_variants(candidates[b], nodes, flash, demand, policies[candidates[b].policy])) {
      candidates[b].min_instructions = std::min(candidates[b].min_instructions, each.instructions);
      candidates.push_back(std::move(each));
    }
  }
  sort_by_cost(candidates, bases);
  return candidates;
}

}  // namespace baton::detail
