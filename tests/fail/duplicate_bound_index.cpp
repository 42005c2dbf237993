// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton bound_inputs, bound_outputs: an index is bound twice; remove one
#include "fail/bound_net.hpp"

#if defined(FIXED)
bound_net<baton::bound_inputs<0>> other;
#else
bound_net<baton::bound_inputs<0, 0>> other;
#endif
