// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: the backends come first, as a list, then the program; this begins with something else; write: baton::to_backend(baton::backends<my_npu>, model, my_partitioner{})
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
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
#else
constexpr auto lowered = baton::to_backend(model, baton::backends<npu>, partitioner{});
#endif
constexpr auto graphs = lowered->graphs.size();
