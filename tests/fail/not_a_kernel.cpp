// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel computes; write: template <class Call> static void run(const Call& call)
#include <baton/kernel/kernel.hpp>

struct copy {
  static constexpr auto supports(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
#if defined(FIXED)
  template <class Call>
  static void run(const Call&) {}
#endif
};

constexpr auto list = baton::kernels<copy>;
