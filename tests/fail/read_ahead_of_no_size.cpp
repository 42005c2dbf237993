// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel that reads behind its operands says how far; write: static constexpr auto read_ahead_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
#if defined(FIXED)
  static constexpr auto read_ahead_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t { return 3; }
#else
  static constexpr std::uint32_t read_ahead_bytes = 3;
#endif
};

constexpr auto list = baton::kernels<copy>;
