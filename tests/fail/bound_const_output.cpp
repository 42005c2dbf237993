// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a buffer that is bound to an output is const; bind a buffer that the executor may write
#include "fail/bound_net.hpp"

#if defined(FIXED)
std::array<float, 6> buffer{};
#else
const std::array<float, 6> buffer{};
#endif

auto bind() -> baton::status { return net.bind_output(buffer); }
