// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: the first error does not say "baton R0: a name has letters"
// EXPECT: baton R0: a name has letters
// The expected message follows the message of another rule.

#ifndef FIXED
static_assert(false, "baton R1: a name has digits");
static_assert(false, "baton R0: a name has letters");
#endif

int main() {}
