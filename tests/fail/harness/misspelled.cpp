// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: cannot read the line
// EXPECT: baton R0: a name has letters
// LINES: ten
// An unknown line must not be ignored.

#ifndef FIXED
static_assert(false, "baton R0: a name has letters");
#endif

int main() {}
