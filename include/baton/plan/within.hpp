// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor service that selects kernels and a memory policy within limits.
#pragma once

#include <baton/plan/detail/static_limits.hpp>
#include <baton/plan/limits.hpp>

namespace baton {

/// An executor service that selects the kernel of each node and the memory policy. Of the candidates within `Limits`, it selects the plan
/// with the fewest instructions. The cost table `Costs` (`kernel_costs`) estimates the instructions. Example: `baton::executor<model,
/// baton::within<baton::limits{.arena_bytes = 32768}, baton::cortex_m4_costs>>`. The candidates do not depend on the limits, so a tighter
/// limit never reduces the estimated instructions. With `planned_by`, all candidates have that policy. Fails with `limits_too_small` if no
/// candidate is within the limits. In a `methods_executor`, the limits apply to each method.
template <limits Limits, class Costs>
struct within {
  static constexpr limits given_limits = Limits;
  using cost_table = Costs;
  /// The search of an executor. `Policy` is its `planned_by`, or `void` if it has none.
  template <class Policy>
  using search = detail::search_within<Limits, Costs, Policy>;
};

}  // namespace baton
