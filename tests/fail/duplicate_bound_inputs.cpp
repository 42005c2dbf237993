// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: bound_inputs or bound_outputs is given twice; give all indices to one
#include "fail/bound_net.hpp"

#if defined(FIXED)
bound_net<baton::bound_inputs<0>> other;
#else
bound_net<baton::bound_inputs<0>, baton::bound_inputs<0>> other;
#endif
