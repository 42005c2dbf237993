// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plans a static program with given kernels and a given memory policy.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/plan/detail/kernel_choices.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/bound_tensors.hpp>
#include <baton/plan/shared/chosen_policy.hpp>
#include <baton/plan/shared/regions.hpp>

namespace baton::detail {

/// The settings of an executor's plan, without the choice of kernels and of a memory policy. `plan_with` plans the execution with given
/// kernels and a given policy.
template <class Program, class Kernels, plan_options Options, class Setting, class Order>
struct static_request {
  using program_type = Program;
  using backend_types = typename Program::backend_types;
  using all_kernels = decltype(with_kernels_of_backends(Kernels{}, backend_types{}));

  static constexpr auto view() -> program_view { return Program::value(); }
  /// True if the arena is split into two regions.
  static constexpr auto is_split() -> bool { return Setting::regions().are_given(); }
  /// Plans the execution with kernels that are already chosen; see `kernel_choices`.
  static constexpr auto plan_with(span<const chosen_kernel> known, const chosen_policy& policy,
                                  const memory_regions& regions = Setting::regions()) -> result<execution_plan> {
    return plan_execution(all_kernels{}, view(), Options, needs_of_backends(backend_types{}, view()),
                          {Setting::pinned(), regions, policy, Order{}, known, bound_tensors_of<Setting>()});
  }
};

}  // namespace baton::detail
