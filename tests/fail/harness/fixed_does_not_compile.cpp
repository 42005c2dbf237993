// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: with -DFIXED it must compile, but does not
// EXPECT: baton R0: a name has letters
// The fixed version has another error.

#ifdef FIXED
int first = undeclared;
#else
static_assert(false, "baton R0: a name has letters");
#endif

int main() {}
