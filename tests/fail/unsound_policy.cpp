// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unsound_policy: a memory policy must place every item inside the memory, aligned, and apart from what lives with it or as near as a distance allows; this one does not; correct the policy
// EXPECT: policy flat: value x and value
#include "run/float_net.hpp"

struct flat {
  static constexpr std::string_view name = "flat";
  static constexpr auto place(const baton::memory_problem& problem) -> baton::placement {
    auto made = baton::archetypes::memory_policy::place(problem);
#if !defined(FIXED)
    for (auto& offset : made.offsets) offset = 0;
#endif
    return made;
  }
};

baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::planned_by<flat>> net;
