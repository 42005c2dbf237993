// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_memory_policy: the signature of find_segments is wrong; write: static constexpr auto find_segments(const baton::unstreamed_plan& baseline) -> baton::stream_plan
#include "baton/plan/memory_policies/row_streaming.hpp"
#include "run/float_net.hpp"

struct by_rows {
  static constexpr std::string_view name = "by rows";
  static constexpr auto place(const baton::memory_problem& problem) -> baton::placement {
    return baton::archetypes::memory_policy::place(problem);
  }
#if defined(FIXED)
  static constexpr auto find_segments(const baton::unstreamed_plan& baseline) -> baton::stream_plan {
    return baton::memory_policies::row_streaming::find_segments(baseline);
  }
#else
  static constexpr auto find_segments(const baton::unstreamed_plan&) -> bool { return true; }
#endif
};

baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::planned_by<by_rows>> net;
