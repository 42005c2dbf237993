// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: the output has 2 errors, more than 1
// EXPECT: baton R0: a name has letters
// ERRORS: 1
// A second error follows the expected one.

#ifndef FIXED
static_assert(false, "baton R0: a name has letters");
static_assert(false, "baton R1: a name has digits");
#endif

int main() {}
