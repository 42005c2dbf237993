// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the number of elements that are passed to run differs from the tensor's; pass exactly the elements of the tensor
// EXPECT: for_output<0>
// EXPECT: given<float, 7>
// EXPECT: wanted<float, 6>
#include "run/float_net.hpp"

#include <array>
#include <span>

float_net::net_type net;
float x[2][3];
float y[6];
std::array<float, 7> seven;

void infer() {
#if defined(FIXED)
  net.run(x, std::span{seven}.first<6>());
#else
  net.run(x, seven);
#endif
}
