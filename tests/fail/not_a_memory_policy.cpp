// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_memory_policy: the policy type has no function place; write: static constexpr auto place(const baton::memory_problem& problem) -> baton::placement
#include "run/float_net.hpp"

struct stacked {
  static constexpr std::string_view name = "stacked";
#if defined(FIXED)
  static constexpr auto place(const baton::memory_problem& problem) -> baton::placement {
    return baton::archetypes::memory_policy::place(problem);
  }
#endif
};

baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::planned_by<stacked>> net;
