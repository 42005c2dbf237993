// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: bind_input or bind_output names a tensor that no service binds; pass baton::bound_inputs<I> or baton::bound_outputs<I> to the executor
#include "fail/bound_net.hpp"

std::array<float, 6> buffer;
#if defined(FIXED)
using other_net = bound_net<baton::bound_inputs<0>>;
#else
using other_net = bound_net<baton::bound_outputs<0>>;
#endif

auto bind(other_net& other) -> baton::status { return other.bind_input(buffer); }
