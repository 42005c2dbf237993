// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton malformed_packing: a packed constant is not data of its part, or its loops do not fit its dimensions; tag the data (with_constants), or correct the loops
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result;
#if defined(FIXED)
    constexpr std::uint32_t dimension = 0;
#else
    constexpr std::uint32_t dimension = 1;
#endif
    if (!part.nodes.empty()) result.pack(part, {part.inputs(part.nodes[0])[0], {{.dimension = dimension, .count = 4}}});
    return result;
  }
};

constexpr char weight[4]{};
constexpr auto model = baton::static_program{[] {
  constexpr auto four = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  build.output(build.call("y", "test.copy", {build.parameter("weight", four, weight)}, four));
  return build.finish();
}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::name<"Npu">, model);
