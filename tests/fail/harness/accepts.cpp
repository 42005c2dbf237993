// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// HARNESS: passes
// EXPECT: baton R0: a name has letters [a-z]; none was found; give it some
// EXPECT: at_node<7>
// A correct test: one message, the facts as types, and a fixed version that compiles.

template <int Node>
struct at_node {};
template <class... Facts>
inline constexpr bool always_false = sizeof...(Facts) == 0;

template <class Fact>
constexpr void check() {
#ifdef FIXED
  static_assert(!always_false<Fact>);
#else
  static_assert(always_false<Fact>, "baton R0: a name has letters [a-z]; none was found; give it some");
#endif
}

int main() { check<at_node<7>>(); }
