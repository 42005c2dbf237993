// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_schedule_policy: the policy type has no function order; write: static constexpr auto order(const baton::schedule_problem& problem) -> baton::vector<std::uint32_t>
#include "run/float_net.hpp"

struct backwards {
  static constexpr std::string_view name = "backwards";
#if defined(FIXED)
  static constexpr auto order(const baton::schedule_problem& problem) -> baton::vector<std::uint32_t> {
    return baton::archetypes::schedule_policy::order(problem);
  }
#endif
};

baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::scheduled_by<backwards>> net;
