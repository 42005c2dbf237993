// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: compiles, but must not
// EXPECT: baton R0: a name has letters
// There is no error: the assertion is in a template that is never instantiated.

template <class Fact>
void check() {
  static_assert(sizeof(Fact) == 0, "baton R0: a name has letters");
}

int main() {}
