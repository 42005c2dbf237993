// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor service that selects kernels and a memory policy within limits.
#pragma once

#include <baton/plan/detail/static_limits.hpp>
#include <baton/plan/limits.hpp>

namespace baton {

/// An executor service that selects the kernel of each node and the memory policy. A candidate is a plan with one such selection. Among the
/// candidates within `Limits`, the service selects the one with the fewest instructions, as estimated by the cost table `Costs`
/// (`kernel_costs`). Example: `baton::executor<model, baton::within<baton::limits{.arena_bytes = 32768}, baton::cortex_m4_costs>>`. The
/// candidates do not depend on the values of the limits. Therefore, a tighter limit never leads to fewer estimated instructions. If the
/// executor also has the service `planned_by<my_policy>`, all candidates have the policy `my_policy`. Fails with `limits_too_small` if no
/// candidate is within the limits, and with `too_many_forms` if more than 8 kernels support a node. In a `methods_executor`, the limits
/// apply to each method.
template <limits Limits, class Costs>
struct within {
  static constexpr limits given_limits = Limits;
  using cost_table = Costs;
  /// The type that searches the candidates of an executor. `Policy` is the executor's service `planned_by`, or `void` if it has none.
  template <class Policy>
  using search = detail::search_within<Limits, Costs, Policy>;
};

}  // namespace baton
