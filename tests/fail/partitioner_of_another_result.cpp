// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E9
// A tag map is a member of the result, so it cannot be missing. Lowering at run time has the same check.
// EXPECT: baton not_a_partitioner: partition does not return a baton::partition_result
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

struct returns_the_program {
#if defined(FIXED)
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    return baton::partition_result{program};
  }
#else
  static constexpr auto partition(const baton::exported_program& program) -> baton::exported_program { return program; }
#endif
};

constexpr auto target = baton::backends<baton::archetypes::backend>;

auto lower_at_run_time() -> baton::exported_program { return baton::to_backend(target, conformance::g_sin(), returns_the_program{}); }
