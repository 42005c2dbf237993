// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: the kernel has no function describe with the right signature; write: static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<Plan>
#include <baton/kernel/kernel.hpp>

struct copy {
#if defined(FIXED)
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
#else
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
#endif
  template <class Call>
  static void compute(const Call&) {}
};

constexpr auto list = baton::kernels<copy>;
