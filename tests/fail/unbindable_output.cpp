// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unbindable_output: an output that is bound to a buffer of the caller is not the output of a node, or is bound twice; do not bind it
// EXPECT: value x
#include "run/float_net.hpp"

constexpr baton::static_program unchanged{[] {
  baton::program_builder b;
  b.output(b.user_input("x", baton::tensor(baton::dtype::float32, 2, 3)));
  return b.finish();
}};

#if defined(FIXED)
baton::basic_executor<unchanged, baton::kernels<float_net::copy>, baton::plan_options{}, baton::bound_inputs<0>> net;
#else
baton::basic_executor<unchanged, baton::kernels<float_net::copy>, baton::plan_options{}, baton::bound_outputs<0>> net;
#endif
