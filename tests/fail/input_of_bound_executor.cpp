// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: an input or output is bound to a buffer of the caller, so the arena does not contain it; use the buffer, and call run without tensors
#include "fail/bound_net.hpp"

#if defined(FIXED)
bound_net<> other;
auto first_byte() -> char { return other.input()[0]; }
#else
auto first_byte() -> char { return net.input()[0]; }
#endif
