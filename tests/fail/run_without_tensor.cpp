// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: an argument of run is neither an array nor a span of fixed extent; pass one of them
// EXPECT: wanted<float, 6>
#include "run/float_net.hpp"

float_net::net_type net;
float x[2][3];
float y[6];
struct sample {
  float values[6];
};
sample one;

void infer() {
#if defined(FIXED)
  net.run(one.values, y);
#else
  net.run(one, y);
#endif
}
