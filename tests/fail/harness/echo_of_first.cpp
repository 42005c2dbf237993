// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: the first error does not say "baton R0: a name has letters"
// EXPECT: baton R0: a name has letters
// The compiler echoes the line of the error, and the sentence stands in that line's comment only.

#ifndef FIXED
static_assert(false, "another sentence");  // baton R0: a name has letters
#endif

int main() {}
