// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_constexpr: what makes a program must run in the compiler; this cannot: something in it is not constexpr, no constant, an error, or over a limit of the compiler's; static_assert((make(), true)) shows what
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
