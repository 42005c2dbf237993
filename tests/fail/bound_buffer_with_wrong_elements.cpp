// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the elements of a bound buffer have another type than the tensor; use the tensor's type, or std::byte for raw bytes
// EXPECT: wanted<float, 6
#include "fail/bound_net.hpp"

#if defined(FIXED)
std::array<std::byte, 24> buffer;
#else
std::array<std::int32_t, 6> buffer;
#endif

auto bind() -> baton::status { return net.bind_input(std::span{buffer}); }
