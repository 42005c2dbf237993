// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_constexpr: the function that builds a program cannot be evaluated at compile time: it is not constexpr, fails, or exceeds a limit of the compiler; to see the reason, write static_assert((function(), true)) with the name of the function
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/run/basic_executor.hpp>

#if defined(FIXED)
constexpr auto build() -> baton::exported_program {
#else
inline auto build() -> baton::exported_program {
#endif
  baton::program_builder b;
  b.output(b.user_input("x", baton::tensor(baton::dtype::float32, 4)));
  return b.finish();
}
constexpr baton::static_program model{[] { return build(); }};
baton::basic_executor<model, baton::kernels<>> net;
