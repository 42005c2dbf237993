// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton operator_without_namespace: the name of an operator has no namespace, and is similar to a known name; add the namespace, as in tfl.conv_2d
// EXPECT: write tfl.fully_connected
#include <baton/partition/operator_support.hpp>

#if defined(FIXED)
using supported = baton::operator_names<"tfl.fully_connected", "MY_FFT">;
#else
using supported = baton::operator_names<"FULLY_CONECTED", "MY_FFT">;
#endif

static_assert(baton::operator_support<supported>);
