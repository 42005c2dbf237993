// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...> or correct the id
// EXPECT: gpu
// EXPECT: the list has: npu
// LINES: 32
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto four = baton::tensor(baton::dtype::int8, 4);
  const auto x = build.user_input("x", four);
  const auto first = build.call("first", "test.taken", {x}, four);
  const auto between = build.call("between", "test.left", {first}, four);
  build.output(build.call("second", "test.taken", {first, between}, four));
  return build.finish();
}};

#if defined(FIXED)
constexpr auto id = baton::name<"npu">;
#else
constexpr auto id = baton::name<"gpu">;
#endif

constexpr auto lowered = baton::to_backend(baton::backends<npu>, id, model);
