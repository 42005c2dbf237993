// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a pointer is passed to run, but its type does not include the number of elements; pass an array, or std::span<T, N>(pointer, N)
// EXPECT: wanted<float, 6>
#include "run/float_net.hpp"

#include <span>

float_net::net_type net;
float x[2][3];
float y[6];
const float* pointer = &x[0][0];

void infer() {
#if defined(FIXED)
  net.run(std::span<const float, 6>(pointer, 6), y);
#else
  net.run(pointer, y);
#endif
}
