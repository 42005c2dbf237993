// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton uneven_alignment: the alignment of a memory plan must be a power of two; this is none; give 4, 8 or 16, for example
// EXPECT: because<baton::fixed_string<13>{"alignment 12"}>
#include <baton/baton.hpp>

constexpr auto model = baton::static_program{[] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder build;
  build.output(build.call("tfl.relu", {build.user_input("x", type)}, type));
  return build.finish();
}};
#if defined(FIXED)
constexpr baton::plan_options options{.alignment = 8};
#else
constexpr baton::plan_options options{.alignment = 12};
#endif
baton::executor<model, baton::portable_kernels, options> net;
