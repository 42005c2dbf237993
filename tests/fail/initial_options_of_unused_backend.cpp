// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: options are for backends that the program uses and that declare them; this one is none; correct the backend
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  struct options {
    int threads = 1;
  };
  static void execute(const baton::delegate_call&) {}
};
struct dsp : npu {
  static constexpr auto id = baton::name<"dsp">;
};
#if defined(FIXED)
using meant = npu;
#else
using meant = dsp;
#endif

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  build.output(build.call("test.copy", {x}, baton::tensor(baton::dtype::int8, 4)));
  return build.finish();
}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operators<"test.copy">>{});

using initial = baton::initial_options<meant, meant::options{.threads = 4}>;
baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>, baton::plan_options{}, initial> net;
