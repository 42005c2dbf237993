// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: the first error is no failed static assertion
// EXPECT: baton R0: a name has letters
// The echo of a warning looks like the expected error, and precedes the actual error.

#warning : error: static assertion failed: baton R0: a name has letters

#ifndef FIXED
int first = undeclared;
#endif

int main() {}
