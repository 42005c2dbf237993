// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the number of arguments of run is wrong; pass every input and then every output, or no tensors: run() or run(observer)
// EXPECT: given_tensors<1>
// EXPECT: wanted_inputs<1>
#include "run/float_net.hpp"

float_net::net_type net;
float x[2][3];
float y[6];
alignas(16) char arena[4096];

void infer() {
#if defined(FIXED)
  net.run();
#else
  net.run(arena);
#endif
}
