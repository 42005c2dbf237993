// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Variants of a candidate that need less flash.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/detail/flash_estimate.hpp>
#include <baton/plan/detail/node_forms.hpp>
#include <baton/plan/detail/plan_candidates.hpp>
#include <baton/plan/detail/step_demand.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/shared/chosen_policy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The maximum number of variants of one candidate.
inline constexpr std::size_t max_variants = 6;

/// Returns variants of a candidate with less and less flash. One form after the other is exchanged: always the one that saves the most
/// bytes for each additional instruction. An exchange never raises `plan_candidate::demand`. Each variant has the exchanges of the previous
/// variant and at least one more. The last variant has all exchanges. The variants do not depend on limits.
constexpr auto flash_variants(const plan_candidate& base, span<const node_forms> nodes, const flash_estimate& flash,
                              const step_demand& demand, const chosen_policy& policy) -> vector<plan_candidate> {
  struct exchange {
    std::uint32_t node = 0;
    std::uint8_t form = 0;
    double cost = 0;  // additional instructions for each saved byte
  };
  vector<exchange> exchanges;
  auto forms = base.forms;
  while (true) {
    exchange best{};
    bool is_found = false;
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      for (std::uint8_t f = 0; f < nodes[n].count; ++f) {
        const auto was = flash.of_node(n, forms[n]);
        const auto bytes = flash.of_node(n, f);
        if (bytes >= was || demand(n, nodes[n][f], policy) > base.demand) continue;
        const auto more = static_cast<double>(nodes[n][f].cost.instructions) - static_cast<double>(nodes[n][forms[n]].cost.instructions);
        const auto cost = more / static_cast<double>(was - bytes);
        if (is_found && cost >= best.cost) continue;
        best = {n, f, cost};
        is_found = true;
      }
    }
    if (!is_found) break;
    exchanges.push_back(best);
    forms[best.node] = best.form;
  }
  vector<plan_candidate> variants;
  const auto count = std::min(exchanges.size(), max_variants);
  auto variant = base;
  for (std::size_t v = 0, e = 0; v < count; ++v) {
    for (const auto end = (v + 1) * exchanges.size() / count; e < end; ++e) variant.forms[exchanges[e].node] = exchanges[e].form;
    variant.instructions = std::max(base.instructions, instructions_of(nodes, variant.forms));
    variants.push_back(variant);
  }
  return variants;
}

/// Returns the candidates of a program, followed by their variants if `prepared` is not empty. `plan` is a plan in which items do not
/// overlap.
constexpr auto all_candidates(const program_view& program, span<const node_forms> nodes, const execution_plan& plan,
                              span<const chosen_policy> policies, span<const prepared_size> prepared) -> vector<plan_candidate> {
  auto candidates = candidate_builder(program, nodes, plan).run(policies);
  const auto bases = static_cast<std::uint32_t>(candidates.size());
  for (std::uint32_t b = 0; b < bases; ++b) candidates[b].base = b;
  if (prepared.empty()) return candidates;
  const flash_estimate flash(program, nodes, prepared);
  const step_demand demand(program, plan);
  for (std::uint32_t b = 0; b < bases; ++b) {
    for (auto& each : flash_variants(candidates[b], nodes, flash, demand, policies[candidates[b].policy])) {
      candidates.push_back(std::move(each));
    }
  }
  sort_by_cost(candidates, bases);
  return candidates;
}

}  // namespace baton::detail
