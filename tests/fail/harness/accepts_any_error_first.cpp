// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: passes
// EXPECT: letters_are_given
// FIRST: any
// Another error than an assertion comes first, and the file says so.

#ifdef FIXED
constexpr bool letters_are_given = true;
#endif

int main() { return letters_are_given ? 0 : 1; }
