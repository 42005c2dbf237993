// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plans an execution within limits, at run time.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/plan/detail/flash_estimate.hpp>
#include <baton/plan/detail/flash_variants.hpp>
#include <baton/plan/detail/kernel_owners.hpp>
#include <baton/plan/detail/limit_search.hpp>
#include <baton/plan/detail/node_forms.hpp>
#include <baton/plan/detail/plan_candidates.hpp>
#include <baton/plan/detail/plan_estimator.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/limits.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/chosen_policy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// The policies that a search within limits tries if no `planned_by` selects one. A candidate of the search is one kernel for each node,
/// and a policy. Among candidates with equal costs, the search selects the one whose policy is first in this list.
inline constexpr std::array<chosen_policy, 3> all_policies{
    planned_by<memory_policies::no_overlap>{}, planned_by<memory_policies::in_place>{}, planned_by<memory_policies::row_streaming>{}};
static_assert(candidate_builder::max_candidates({all_policies.data(), all_policies.size()}) <= limit_search::max_bases);

/// Returns the kernel of each node of a candidate. `forms[n]` is the index in `nodes[n]` of the kernel that the candidate uses for node n
/// (`plan_candidate::forms`).
constexpr auto kernels_of(span<const node_forms> nodes, span<const std::uint8_t> forms) -> vector<chosen_kernel> {
  vector<chosen_kernel> kernels(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].count != 0) kernels[n] = nodes[n][forms[n]].kernel;
  }
  return kernels;
}

/// Returns, for each node, the index of its cheapest form in `node_forms::forms`: the kernel with the fewest estimated instructions.
constexpr auto cheapest_forms(span<const node_forms> nodes) -> vector<std::uint8_t> {
  vector<std::uint8_t> forms;
  for (const auto& each : nodes) forms.push_back(cheapest_form(each, [](std::uint8_t) { return true; }));
  return forms;
}

/// Compares the form of each node of a plan with the cheapest form of the node. The result also contains the number of slices of each node.
/// A slice is the work of one call of `step` (see `in_slices`).
constexpr auto choices_of(span<const node_forms> nodes, span<const std::uint8_t> forms, span<const node_slices> slices)
    -> vector<limited_plan::node_choice> {
  vector<limited_plan::node_choice> choices(nodes.size());
  const auto cheapest = cheapest_forms(nodes);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    choices[n].slices = slices[n].planned;
    choices[n].max_slices = slices[n].max;
    if (nodes[n].count == 0) continue;
    const auto& form = nodes[n][forms[n]];
    const auto& fastest = nodes[n][cheapest[n]];
    choices[n].form = form.cost.form;
    choices[n].fastest = fastest.cost.form;
    choices[n].more_instructions = form.cost.instructions - fastest.cost.instructions;
    choices[n].less_scratch_bytes = std::int64_t{fastest.kernel.facts.scratch_bytes} - std::int64_t{form.kernel.facts.scratch_bytes};
  }
  return choices;
}

/// Returns the size of the constant that each form of a node prepares, in bytes.
template <class... Kernels>
constexpr auto prepared_sizes(kernel_list<Kernels...>, const program_view& program, const node& record, const node_forms& forms)
    -> prepared_size {
  prepared_size sizes;
  for (std::uint32_t f = 0; f < forms.count; ++f) {
    std::size_t at = 0;
    [[maybe_unused]] const auto measure = [&]<class Kernel>() {
      if (at++ == forms[f].kernel.index) sizes.bytes[f] = prepared_bytes<Kernel>(Kernel::describe(program, record).facts);
    };
    (measure.template operator()<Kernels>(), ...);
  }
  return sizes;
}

}  // namespace detail

/// The result of `plan_within`.
struct plan_within_result {
  execution_plan plan;
  limited_plan limited;
};

/// Plans the execution of a program within limits, like the service `within` of an executor. The kernel indices in the plan refer to
/// `kernel_list<Kernels...>::with_forms()`. Fails with `limits_too_small`, with `too_many_forms` if more than 8 of these
/// kernels support a node, or with the errors of `plan_execution`.
template <kernel_costs Costs, class... Kernels>
constexpr auto plan_within(kernel_list<Kernels...>, const program_view& program, const limits& within, const plan_options& options = {})
    -> result<plan_within_result> {
  constexpr auto list = kernel_list<Kernels...>::with_forms();
  vector<detail::node_forms> nodes(program.nodes.size());
  const auto is_own = detail::nodes_with_own_kernels(program, {});
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (is_own[n] != 0) nodes[n] = detail::forms_of_node<Costs>(list, program, program.nodes[n], {0, list.size});
  }
  if (auto why = detail::check_forms(program, {nodes.data(), nodes.size()})) return why;
  vector<detail::prepared_size> prepared;
  for (std::size_t n = 0; n < nodes.size() && within.flash_bytes != limits::none; ++n) {
    prepared.push_back(detail::prepared_sizes(list, program, program.nodes[n], nodes[n]));
  }
  const span<const chosen_policy> policies{detail::all_policies.data(), detail::all_policies.size()};
  const auto plan_of = [&](span<const std::uint8_t> forms, const chosen_policy& policy) {
    const auto kernels = detail::kernels_of(nodes, forms);
    return detail::plan_execution(list, program, options, {}, {.policy = policy, .known_kernels = kernels});
  };
  const auto without_limits = plan_of(detail::cheapest_forms(nodes), policies[0]);
  if (!without_limits) return without_limits.error;
  const auto candidates = detail::all_candidates(program, nodes, without_limits.value, policies, prepared);
  detail::limit_search search;
  vector<detail::node_slices> slices;
  for (std::uint32_t c = 0; c < candidates.size(); ++c) {
    const auto& each = candidates[c];
    if (!search.must_plan(each.min_instructions)) continue;
    const auto plan = plan_of(each.forms, policies[each.policy]);
    if (!plan) return plan.error;
    auto estimate = detail::plan_estimator(program, nodes, each.forms, plan.value, within.slice_instructions).run();
    if (!prepared.empty()) estimate.needs.flash_bytes = detail::flash_estimate(program, nodes, prepared).of_all(each.forms);
    search.add(c, each.base, estimate, within);
    if (search.best == c) slices = std::move(estimate.slices);
  }
  if (auto why = search.failed(program, within)) return why;
  plan_within_result selected;
  const auto& best = candidates[search.best];
  auto plan = plan_of(best.forms, policies[best.policy]);
  selected.plan = std::move(plan.value);
  selected.limited.within = within;
  selected.limited.policy = policies[best.policy].name;
  selected.limited.estimate = search.best_estimate;
  selected.limited.without_limits =
      detail::plan_estimator(program, nodes, detail::cheapest_forms(nodes), without_limits.value, limits::none).run().needs;
  if (!prepared.empty()) {
    const auto flash = detail::flash_estimate(program, nodes, prepared).of_all(detail::cheapest_forms(nodes));
    selected.limited.without_limits.flash_bytes = flash;
  }
  selected.limited.nodes = detail::choices_of(nodes, best.forms, slices);
  return selected;
}

}  // namespace baton
