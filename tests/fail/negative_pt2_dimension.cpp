// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton pt2::dimension: a size is negative; write: baton::pt2::dimension<"s77", 16>
#include <baton/import/pt2.hpp>

#if defined(FIXED)
using size = baton::pt2::dimension<"s77", 16>;
#else
using size = baton::pt2::dimension<"s77", -16>;
#endif
static_assert(sizeof(size) == 1);
