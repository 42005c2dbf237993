// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the size of a tensor that is passed to run is not part of its type; pass an array, or std::span<T, N>(tensor)
// EXPECT: wanted<float, 6>
#include "run/float_net.hpp"

#include <span>
#include <vector>

float_net::net_type net;
float x[2][3];
float y[6];
std::vector<float> many(6);

void infer() {
#if defined(FIXED)
  net.run(x, std::span<float, 6>(many));
#else
  net.run(x, many);
#endif
}
