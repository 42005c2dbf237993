// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: the first error is no failed static assertion
// EXPECT: baton R0: a name has letters
// The expected message follows another error.

#ifndef FIXED
int first = undeclared;
static_assert(false, "baton R0: a name has letters");
#endif

int main() {}
