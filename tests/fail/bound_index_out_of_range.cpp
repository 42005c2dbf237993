// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton bound_inputs, bound_outputs: a bound index is not the index of an input or output of the program; indices begin at 0
#include "fail/bound_net.hpp"

#if defined(FIXED)
bound_net<baton::bound_inputs<0>> other;
#else
bound_net<baton::bound_inputs<1>> other;
#endif
