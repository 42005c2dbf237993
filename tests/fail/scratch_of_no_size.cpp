// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel that needs scratch says how many bytes; write: static constexpr auto scratch_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
#if defined(FIXED)
  static constexpr auto scratch_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t { return 24; }
#else
  static constexpr std::uint32_t scratch_bytes = 24;
#endif
};

constexpr auto list = baton::kernels<copy>;
