// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel that keeps states says which operands they are; write: static constexpr std::size_t states[] = {1};
// EXPECT: baton not_a_kernel: a kernel that hands its operand on says so by a constant; write: static constexpr bool forwards_input = true;
// EXPECT: baton not_a_kernel: a kernel that joins or parts values says where the parts lie; write: static constexpr auto nesting_of(const baton::program_view&, const baton::node&) -> baton::nesting
// LINES: 45
#include <baton/kernel/kernel.hpp>

struct copy : baton::archetypes::kernel {
#if defined(FIXED)
  static constexpr std::size_t states[] = {1};
  static constexpr bool forwards_input = false;
  static constexpr auto nesting_of(const baton::program_view&, const baton::node&) -> baton::nesting { return {}; }
#else
  static constexpr std::size_t states = 1;
  static constexpr auto forwards_input() -> bool { return true; }
  template <class Program>
  static constexpr auto nesting_of(const Program&, const baton::node&) -> int {
    return 0;
  }
#endif
};

constexpr auto list = baton::kernels<copy>;
