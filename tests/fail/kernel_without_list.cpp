// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: its kernels are a list; this is none; write: baton::kernels<my_kernel>
#include <baton/core/builder.hpp>
#include <baton/run/basic_executor.hpp>

struct copy {
  static constexpr auto supports(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
  template <class Call>
  static void run(const Call&) {}
};

constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};

#if defined(FIXED)
baton::basic_executor<model, baton::kernels<copy>> net;
#else
baton::basic_executor<model, copy{}> net;
#endif
void infer() { net.run(); }
