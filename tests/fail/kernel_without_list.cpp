// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the kernels are not a list; write: baton::kernels<my_kernel>
#include <baton/core/builder.hpp>
#include <baton/run/basic_executor.hpp>

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};

#if defined(FIXED)
baton::basic_executor<model, baton::kernels<copy>> net;
#else
baton::basic_executor<model, copy{}> net;
#endif
void infer() { net.run(); }
