// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton pte::input_shape: a size is negative; write: baton::pte::input_shape<"input_0", 1, 64>
#include <baton/import/pte.hpp>

#if defined(FIXED)
using shape = baton::pte::input_shape<"input_0", 1, 64>;
#else
using shape = baton::pte::input_shape<"input_0", -1, 64>;
#endif
static_assert(shape::sizes[1] == 64);
