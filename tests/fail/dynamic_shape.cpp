// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton dynamic_shape: a value has an unknown size, but memory is planned for fixed shapes; export the model with fixed shapes
// EXPECT: value x
#include <baton/run/basic_executor.hpp>

#if defined(FIXED)
constexpr auto size = 4;
#else
constexpr auto size = -1;
#endif

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, size));
  build.output(build.call("test.copy", {x}, baton::tensor(baton::dtype::int8, 4)));
  return build.finish();
}};

baton::basic_executor<model, baton::kernels<copy>> net;

void infer() { net.run(); }
