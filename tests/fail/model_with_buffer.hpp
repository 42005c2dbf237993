// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A model with a mutable buffer; with FIXED, without.
#pragma once

#include "run/float_net.hpp"

inline constexpr baton::static_program model{[] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 6);
  baton::program_builder build;
  const auto x = build.user_input("x", type);
#if defined(FIXED)
  build.output(build.call("test.copy", {x}, type));
#else
  const auto before = build.mutable_buffer("before", type);
  build.mutation(x, "before");
  build.output(build.call("test.copy", {before}, type));
#endif
  return build.finish();
}};
