// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: the signature of prepare is wrong; write: static constexpr void prepare(const baton::program_view&, const baton::node&, std::size_t first, baton::span<T> to), where T is arithmetic
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
#if defined(FIXED)
  static constexpr void prepare(const baton::program_view&, const baton::node&, std::size_t, baton::span<short>) {}
#else
  static constexpr void prepare(const baton::program_view&, const baton::node&, baton::span<short>) {}
#endif
};

constexpr auto list = baton::kernels<copy>;
