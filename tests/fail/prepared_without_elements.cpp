// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel that prepares constants says how many elements, and makes them; write: static constexpr auto prepared_size(const baton::program_view&, const baton::node&) -> baton::prepared_blocks<T> and static constexpr void prepare(const baton::program_view&, const baton::node&, std::size_t first, baton::span<T> to)
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
  static constexpr auto prepared_size(const baton::program_view&, const baton::node&) -> baton::prepared_blocks<short> { return {2, 8}; }
#if defined(FIXED)
  static constexpr void prepare(const baton::program_view&, const baton::node&, std::size_t, baton::span<short>) {}
#else
  static constexpr void prepare(const baton::program_view&, const baton::node&, std::size_t, baton::span<char>) {}
#endif
};

constexpr auto list = baton::kernels<copy>;
