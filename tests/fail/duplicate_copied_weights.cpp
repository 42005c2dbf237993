// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: copied_weights is given twice; remove one
#include "fail/copied_net.hpp"

using copies = baton::copied_weights<memory_copy, large_buffer>;
#if defined(FIXED)
copied_net<copies> net;
#else
copied_net<copies, copies> net;
#endif
