// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel that makes several rows at once is run by rows, and says how many; write: static constexpr auto rows_at_once(const baton::program_view&, const baton::node&) -> std::int32_t beside window_of
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
  static constexpr auto rows_at_once(const baton::program_view&, const baton::node&) -> std::int32_t { return 2; }
#if defined(FIXED)
  static constexpr auto window_of(const baton::program_view&, const baton::node&, std::size_t) -> baton::row_window { return {}; }
#endif
};

constexpr auto list = baton::kernels<copy>;
