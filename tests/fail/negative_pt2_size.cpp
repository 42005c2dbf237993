// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton pt2::input_shape: a size is negative; write: baton::pt2::input_shape<"x", 1, 64>
#include <baton/import/pt2.hpp>

#if defined(FIXED)
using shape = baton::pt2::input_shape<"x", 1, 64>;
#else
using shape = baton::pt2::input_shape<"x", -1, 64>;
#endif
static_assert(shape::sizes[1] == 64);
