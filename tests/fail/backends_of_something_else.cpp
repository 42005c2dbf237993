// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: a backend has an id; write: static constexpr auto id = baton::name<"MyNpu">;
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  build.output(build.call("test.copy", {x}, baton::tensor(baton::dtype::int8, 4)));
  return build.finish();
}};
using partitioner = baton::by_support<npu, baton::operators<"test.copy">>;

#if defined(FIXED)
constexpr auto target = baton::backends<npu>;
#else
constexpr auto target = baton::backends<partitioner>;
#endif
constexpr auto lowered = baton::to_backend(target, model, partitioner{});
constexpr auto graphs = lowered->graphs.size();
