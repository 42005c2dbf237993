// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: the first error does not say "baton R0: a name has letters"
// EXPECT: baton R0: a name has letters
// The message is only in a comment of the line of the error, which the compiler echoes.

#ifndef FIXED
static_assert(false, "another sentence");  // baton R0: a name has letters
#endif

int main() {}
