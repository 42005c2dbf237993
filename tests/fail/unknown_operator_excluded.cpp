// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
// EXPECT: tfl.soft_max
// EXPECT: the nearest name is tfl.softmax;
#include <baton/compat/executorch/excluding_supports.hpp>

#if defined(FIXED)
using kept = baton::dont_partition<"tfl.softmax">;
#else
using kept = baton::dont_partition<"tfl.soft_max">;
#endif
static_assert(baton::operator_support<baton::all_of<kept, baton::not_of<kept>>>);
