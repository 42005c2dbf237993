// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton operator_without_namespace: the name of an operator has no namespace, and is similar to a known name; add the namespace, as in tfl.conv_2d
// EXPECT: write tfl.conv_2d
#include <baton/partition/operator_support.hpp>

#if defined(FIXED)
using supported = baton::operator_names<"tfl.conv_2d", "MY_FFT">;
#else
using supported = baton::operator_names<"CONV_2D", "MY_FFT">;
#endif

static_assert(baton::operator_support<supported>);
