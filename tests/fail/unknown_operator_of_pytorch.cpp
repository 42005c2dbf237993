// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
// EXPECT: aten.convolution.defaul
// EXPECT: aten.convolution.default
#include <baton/partition/operator_support.hpp>

#if defined(FIXED)
using supported = baton::operator_names<"aten.convolution.default", "aten.acos.default">;
#else
using supported = baton::operator_names<"aten.convolution.defaul", "aten.acos.default">;
#endif

static_assert(baton::operator_support<supported>);
