// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a bound buffer is neither an array nor a span; pass one of them
#include "fail/bound_net.hpp"

std::array<float, 6> buffer;

#if defined(FIXED)
auto bind() -> baton::status { return net.bind_input(buffer); }
#else
auto bind() -> baton::status { return net.bind_input(buffer.data()); }
#endif
