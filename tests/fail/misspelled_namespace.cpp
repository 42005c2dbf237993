// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
// EXPECT: tlf.conv_2d
// EXPECT: the nearest name is tfl.conv_2d
#include <baton/partition/operator_support.hpp>

#if defined(FIXED)
using supported = baton::operator_names<"tfl.conv_2d", "mycompany.conv_2d">;
#else
using supported = baton::operator_names<"tlf.conv_2d", "mycompany.conv_2d">;
#endif

static_assert(baton::operator_support<supported>);
