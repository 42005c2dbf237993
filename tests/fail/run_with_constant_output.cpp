// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: an argument of run at the position of an output is const; pass the inputs first, then outputs that are not const
// EXPECT: for_output<0>
#include "run/float_net.hpp"

float_net::net_type net;
float x[2][3];
float y[6];
const float zeros[6] = {};

void infer() {
#if defined(FIXED)
  net.run(zeros, y);
#else
  net.run(y, zeros);
#endif
}
