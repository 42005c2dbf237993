// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: lines, more than 10
// EXPECT: baton R0: a name has letters
// LINES: 10
// The output has more lines than the file allows.

template <int Node>
struct check {
#ifndef FIXED
  static_assert(Node < 0, "baton R0: a name has letters");
#endif
};

template struct check<0>;
template struct check<1>;
template struct check<2>;
template struct check<3>;
template struct check<4>;
template struct check<5>;
template struct check<6>;
template struct check<7>;

int main() {}
