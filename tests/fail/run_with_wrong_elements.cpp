// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the elements that are passed to run have another type than the tensor; pass the tensor's type, or std::byte for raw bytes
// EXPECT: for_input<0>
// EXPECT: given<int, 6>
// EXPECT: wanted<float, 6>
#include "run/float_net.hpp"

#include <array>
#include <cstdint>
#include <span>

float_net::net_type net;
float x[2][3];
float y[6];
std::array<std::int32_t, 6> integers;

void infer() {
#if defined(FIXED)
  net.run(std::as_bytes(std::span{integers}), y);
#else
  net.run(integers, y);
#endif
}
