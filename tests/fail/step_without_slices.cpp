// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: start and step need the service in_slices; write baton::executor<model, baton::in_slices>
#include "run/float_net.hpp"

#if defined(FIXED)
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_slices> net;
#else
float_net::net_type net;
#endif

auto first_slice() -> baton::status {
  net.start();
  return net.step();
}
