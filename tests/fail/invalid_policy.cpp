// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton invalid_policy: a memory policy placed an item outside the memory, unaligned, or too near to an item that is live at the same time; correct the policy
// EXPECT: policy flat: value x and value
#include "run/float_net.hpp"

struct flat {
  static constexpr std::string_view name = "flat";
  static constexpr auto place(const baton::memory_problem& problem) -> baton::placement {
    auto placement = baton::archetypes::memory_policy::place(problem);
#if !defined(FIXED)
    for (auto& offset : placement.offsets) offset = 0;
#endif
    return placement;
  }
};

baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::planned_by<flat>> net;
