// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: passes
// EXPECT: letters_are_given
// FIRST: any
// The first error is not an assertion, and the file states this.

#ifdef FIXED
constexpr bool letters_are_given = true;
#endif

int main() { return letters_are_given ? 0 : 1; }
