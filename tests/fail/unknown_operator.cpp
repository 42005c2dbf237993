// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
// EXPECT: tfl.conv2d
// EXPECT: the nearest name is tfl.conv_2d;
// EXPECT: tfl.custom.conv2d
#include <baton/partition/operator_support.hpp>

#if defined(FIXED)
using supported = baton::operator_names<"tfl.conv_2d", "tfl.custom.conv2d", "aten.conv2d", "my_company.fft">;
#else
using supported = baton::operator_names<"tfl.add", "tfl.conv2d">;
#endif

static_assert(baton::operator_support<supported>);
