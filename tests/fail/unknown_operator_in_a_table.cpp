// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
// EXPECT: tfl.relu_6
// EXPECT: the nearest name is tfl.relu6;
#include <baton/partition/operator_support.hpp>

#if defined(FIXED)
using row = baton::table_row<"tfl.relu6", baton::dtypes<baton::dtype::int8>>;
#else
using row = baton::table_row<"tfl.relu_6", baton::dtypes<baton::dtype::int8>>;
#endif
static_assert(baton::operator_support<baton::operator_table<row>>);
