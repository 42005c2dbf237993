// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton copied_weights: the buffer has no space for any constant, or its alignment is too small; use a larger baton::memory_region, or one with a larger alignment
// EXPECT: given_buffer<1024, 1>
#include "fail/copied_net.hpp"

#if defined(FIXED)
baton::memory_region<1024> buffer;
#else
std::byte buffer[1024];  // its alignment is 1
#endif

copied_net<baton::copied_weights<memory_copy, buffer>> net;
void infer() { net.run(); }
