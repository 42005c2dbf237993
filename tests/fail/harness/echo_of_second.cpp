// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: no message says "and the second says what to do"
// EXPECT: baton R0: a name has letters
// EXPECT: and the second says what to do
// Like echo_of_first, for a message that may be anywhere in the output.

#ifndef FIXED
static_assert(false, "baton R0: a name has letters");  // and the second says what to do
#endif

int main() {}
