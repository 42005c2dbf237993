// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel whose output may lie on an operand says how near; write: static constexpr auto distance_of(const baton::program_view&, const baton::node&, std::size_t operand) -> baton::least_distance
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
#if defined(FIXED)
  static constexpr auto distance_of(const baton::program_view&, const baton::node&, std::size_t) -> baton::least_distance { return {0, 0}; }
#else
  static constexpr auto distance_of(const baton::program_view&, const baton::node&) -> baton::least_distance { return {0, 0}; }
#endif
};

constexpr auto list = baton::kernels<copy>;
