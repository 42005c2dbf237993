// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The choice of kernels and of a memory policy within limits, for a static program. A candidate is one form for each node (one of the
// kernels that support the node, see `node_forms`), and a memory policy. Each candidate is planned in a separate constant expression,
// because one expression for all candidates could need more steps than compilers permit.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/kernel/shared/compute_node.hpp>
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
#include <baton/plan/plan_within.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/regions.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::detail {

template <class Base, class Within>
struct static_limits;

/// The limits of an executor. `Policy` is the executor's service `planned_by`, or `void` if it has none.
template <limits Limits, class Costs, class Policy>
struct search_within {
  static constexpr limits within = Limits;
  using costs = Costs;
  /// The choice of kernels and of a memory policy for a `static_request`.
  template <class Request>
  using choice = static_limits<Request, search_within>;
  /// The kernels of the executor: each kernel of a list, followed by the kernels in its member type `forms`.
  template <class Kernels>
  using kernels_of = decltype(Kernels::with_forms());

  static constexpr auto policies() -> span<const chosen_policy> {
    if constexpr (std::is_void_v<Policy>) {
      return {all_policies.data(), all_policies.size()};
    } else {
      return {&only_policy<Policy>, 1};
    }
  }

 private:
  template <class Only>
  static constexpr chosen_policy only_policy = Only{};
};

/// The kernels and the memory policy of a static program within the limits of `Within`, a `search_within`. `Base` is a `static_request`.
template <class Base, class Within>
struct static_limits {
  using program_type = typename Base::program_type;
  using all_kernels = typename Base::all_kernels;
  using costs = typename Within::costs;

  static constexpr auto view() -> const program_view& { return static_view<program_type>; }
  static constexpr std::size_t node_count = view().nodes.size();
  static constexpr bool limits_flash = Within::within.flash_bytes != limits::none;

  /// Returns the policies of the candidates. If the arena is split, returns only the first policy, because no other policy of
  /// `all_policies` can split an arena.
  static constexpr auto policies() -> span<const chosen_policy> {
    return Base::is_split() ? Within::policies().first(1) : Within::policies();
  }

  static consteval auto find_own_nodes() {
    std::array<bool, node_count> is_own{};
    const auto marks = nodes_with_own_kernels(view(), needs_of_backends(typename Base::backend_types{}, view()));
    for (std::size_t n = 0; n < node_count; ++n) is_own[n] = marks[n] != 0;
    return is_own;
  }
  /// Indexed by node: whether the executor's own kernels compute the node. Other nodes have no forms.
  static constexpr auto is_own_node = find_own_nodes();

  /// The number of nodes whose forms are computed in one constant expression. With 32 nodes, the expression would exceed Clang's default
  /// limit of steps.
  static constexpr std::size_t nodes_per_constant = 8;
  template <std::size_t First>
  static consteval auto make_forms() {
    std::array<node_forms, std::min(nodes_per_constant, node_count - First)> forms{};
    const auto own = needs_of_backends(typename Base::backend_types{}, view()).kernels_of(none<delegate_id>, all_kernels::size);
    for (std::size_t n = 0; n < forms.size(); ++n) {
      if (is_own_node[First + n]) forms[n] = forms_of_node<costs>(all_kernels{}, view(), view().nodes[First + n], own);
    }
    return forms;
  }
  template <std::size_t First>
  static constexpr auto some_forms = make_forms<First>();
  static consteval auto join_forms() {
    std::array<node_forms, node_count> forms{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (std::copy(some_forms<I * nodes_per_constant>.begin(), some_forms<I * nodes_per_constant>.end(),
                 forms.begin() + I * nodes_per_constant),
       ...);
    }(std::make_index_sequence<(node_count + nodes_per_constant - 1) / nodes_per_constant>{});
    return forms;
  }
  static constexpr auto all_forms = join_forms();
  static constexpr auto forms() -> span<const node_forms> { return {all_forms.data(), node_count}; }

  /// Returns the size of the constant that form `Form` of node `Node` prepares. Uses the constant `described`, which the generated code of
  /// the node also uses.
  template <std::uint32_t Node, std::size_t Form>
  static consteval auto constant_bytes_of() -> std::uint64_t {
    using kernel = typename all_kernels::template at<all_forms[Node][Form].kernel.index>;
    if constexpr (preparing_kernel<kernel>) return prepared_bytes<kernel>(described<kernel, program_type, Node>.facts);
    return prepared_size::none;
  }
  template <std::uint32_t Node>
  static consteval auto prepared_of() -> prepared_size {
    prepared_size sizes;
    [&]<std::size_t... Form>(std::index_sequence<Form...>) {
      ((sizes.bytes[Form] = constant_bytes_of<Node, Form>()), ...);
    }(std::make_index_sequence<all_forms[Node].count>{});
    return sizes;
  }
  static consteval auto make_prepared() {
    if constexpr (limits_flash) {
      return []<std::uint32_t... N>(std::integer_sequence<std::uint32_t, N...>) {
        return std::array<prepared_size, node_count>{prepared_of<N>()...};
      }(std::make_integer_sequence<std::uint32_t, static_cast<std::uint32_t>(node_count)>{});
    } else {
      return std::array<prepared_size, 0>{};
    }
  }
  static constexpr auto prepared = make_prepared();

  /// A `plan_candidate` that can be a constant, because its forms are in an array.
  struct frozen_candidate {
    std::uint32_t policy = 0;
    std::uint32_t base = 0;
    std::uint64_t instructions = 0;
    std::uint64_t min_instructions = 0;
    std::uint64_t flash_bytes = 0;
    std::array<std::uint8_t, node_count> forms{};

    constexpr auto form_span() const -> span<const std::uint8_t> { return {forms.data(), node_count}; }
  };
  static constexpr std::size_t max_candidates = candidate_builder::max_candidates(policies()) * (limits_flash ? 1 + max_variants : 1);
  struct frozen_candidates {
    bool is_planned = false;
    std::uint32_t count = 0;
    limited_plan::needs without_limits{};
    std::array<frozen_candidate, max_candidates> all{};
  };

  static constexpr auto plan_of(span<const std::uint8_t> assigned, std::size_t at) -> result<execution_plan> {
    const auto kernels = kernels_of(forms(), assigned);
    return Base::plan_with(kernels, policies()[at]);
  }
  static consteval auto make_candidates() {
    frozen_candidates result;
    const auto cheapest = cheapest_forms(forms());
    // Plans an arena that is not split into regions, because the cheapest kernels may not fit two regions.
    const auto plan = Base::plan_with(kernels_of(forms(), cheapest), policies()[0], memory_regions{});
    if (!plan) return result;
    result.is_planned = true;
    result.without_limits = plan_estimator(view(), forms(), cheapest, plan.value, limits::none).run().needs;
    const span<const prepared_size> sizes{prepared.data(), prepared.size()};
    if (limits_flash) result.without_limits.flash_bytes = flash_estimate(view(), forms(), sizes).of_all(cheapest);
    for (const auto& each : all_candidates(view(), forms(), plan.value, policies(), sizes)) {
      auto& to = result.all[result.count++];
      to.policy = each.policy;
      to.base = each.base;
      to.instructions = each.instructions;
      to.min_instructions = each.min_instructions;
      if (limits_flash) to.flash_bytes = flash_estimate(view(), forms(), sizes).of_all(each.forms);
      std::copy(each.forms.begin(), each.forms.end(), to.forms.begin());
    }
    return result;
  }
  static constexpr auto candidates = make_candidates();

  /// A `plan_estimate` that can be a constant.
  struct frozen_estimate : plan_needs {
    std::array<node_slices, node_count> slices{};
    bool is_planned = false;  ///< false if the candidate does not fit two regions
  };
  template <std::uint32_t C, std::uint64_t MaxOperations>
  static consteval auto estimate() -> frozen_estimate {
    const auto& candidate = candidates.all[C];
    const auto plan = plan_of(candidate.form_span(), candidate.policy);
    if (!plan) return {};
    const auto estimated =
        plan_estimator(view(), forms(), candidate.form_span(), plan.value, Within::within.slice_instructions, MaxOperations).run();
    frozen_estimate result{estimated, {}, true};
    result.needs.flash_bytes = candidate.flash_bytes;
    std::copy(estimated.slices.begin(), estimated.slices.end(), result.slices.begin());
    return result;
  }
  template <std::uint32_t C, std::uint64_t MaxOperations = limits::none>
  static constexpr frozen_estimate estimate_of = estimate<C, MaxOperations>();

  /// Returns the state of the search after the first `C` candidates.
  template <std::uint32_t C>
  static consteval auto search() -> limit_search {
    if constexpr (C == 0) {
      return {};
    } else {
      constexpr auto& before = searched<C - 1>;
      auto state = before;
      if constexpr (before.must_plan(candidates.all[C - 1].min_instructions)) {
        constexpr const auto& estimated = estimate_of<C - 1>;
        if (estimated.is_planned) state.add(C - 1, candidates.all[C - 1].base, estimated, Within::within);
      }
      return state;
    }
  }
  template <std::uint32_t C>
  static constexpr limit_search searched = search<C>();
  static constexpr const limit_search& outcome = searched<candidates.count>;
  static constexpr auto find_failure() -> failure {
    if (auto excess = check_forms(view(), forms())) return excess;
    return outcome.failed(view(), Within::within);
  }
  static constexpr static_failure why{find_failure()};

  /// The chosen candidate. If no candidate keeps the limits, `chosen` is the first candidate, and the plan or `why` reports the error.
  static constexpr const frozen_candidate& chosen = candidates.all[outcome.best == limit_search::none ? 0 : outcome.best];
  static constexpr auto policy() -> const chosen_policy& { return policies()[chosen.policy]; }
  static constexpr std::uint64_t max_slice_instructions = Within::within.slice_instructions;
  /// Returns the cost of node `n` with the chosen kernel.
  static constexpr auto cost_of(std::uint32_t n) -> node_cost { return all_forms[n][chosen.forms[n]].cost; }
  static consteval auto make_kernels() {
    std::array<chosen_kernel, node_count> kernels{};
    if (!candidates.is_planned) return kernels;
    const auto list = kernels_of(forms(), chosen.form_span());
    std::copy(list.begin(), list.end(), kernels.begin());
    return kernels;
  }
  static constexpr auto known_kernels = make_kernels();

  /// Returns the estimated costs of the chosen plan. A slice of the plan is the work of one call of `step` (see `in_slices`). The slices,
  /// and the estimate of the longest slice, also keep the limit `MaxOperations` of `in_slices::of`.
  template <std::uint64_t MaxOperations>
  static constexpr auto report() -> limited_plan {
    constexpr std::uint32_t best = outcome.best == limit_search::none ? 0 : outcome.best;
    constexpr const auto& estimated = estimate_of<best, MaxOperations>;
    return {Within::within, policy().name, estimated.needs, candidates.without_limits,
            choices_of(forms(), chosen.form_span(), {estimated.slices.data(), node_count})};
  }
};

}  // namespace baton::detail
