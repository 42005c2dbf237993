// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton invalid_schedule: a schedule does not run every node of a graph exactly once after its dependencies; correct the schedule policy
// EXPECT: policy backwards: graph
#include "run/float_net.hpp"

struct backwards {
  static constexpr std::string_view name = "backwards";
  static constexpr auto order(const baton::schedule_problem& problem) -> baton::vector<std::uint32_t> {
    auto nodes = baton::archetypes::schedule_policy::order(problem);
#if !defined(FIXED)
    nodes.push_back(0);
#endif
    return nodes;
  }
};

baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::scheduled_by<backwards>> net;
