// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: the kernel has no function compute with the right signature; write: static void compute(const Plan& plan, const baton::node_memory& at), or template <class Call> static void compute(const Call& call)
#include <baton/kernel/kernel.hpp>

struct size_plan {
  int bytes = 0;
};

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<size_plan> {
    return {baton::accept()};
  }
#if defined(FIXED)
  static void compute(const size_plan&, const baton::node_memory&) {}
#else
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
#endif
};

constexpr auto list = baton::kernels<copy>;
