// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel that is run by rows says which rows it reads; write: static constexpr auto window_of(const baton::program_view&, const baton::node&, std::size_t operand) -> baton::row_window
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
#if defined(FIXED)
  static constexpr auto window_of(const baton::program_view&, const baton::node&, std::size_t) -> baton::row_window { return {}; }
#else
  static constexpr auto window_of(const baton::program_view&, const baton::node&) -> baton::row_window { return {}; }
#endif
};

constexpr auto list = baton::kernels<copy>;
