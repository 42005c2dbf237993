// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: constexpr
// EXPECT: baton costly_preprocess: the compiler cannot evaluate preprocess; see the compiler's message above, and pack weights (preprocess_result::pack), reduce the part, or raise the limit if it names one
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// FIRST: any
// LINES: 120
// A constexpr preprocess that reads a second input, which not every part has. It is too costly, and the error is not
// `run_time_preprocess`.
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>

constexpr std::uint32_t rows = 540;
constexpr std::uint32_t columns = 500;
constexpr char weights[rows * columns]{};

/// Stores the weights column by column.
struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result;
    const auto weight = part.inputs(part.nodes[0])[1];
    const auto shape = part.shape(weight);
    const auto height = static_cast<std::uint32_t>(shape[0]);
    const auto width = static_cast<std::uint32_t>(shape[1]);
#if defined(FIXED)
    result.pack(part, {weight, {{.dimension = 1, .count = width}, {.dimension = 0, .count = height}}});
#else
    const char* const from = part.data(part[weight].data).data();
    result.processed_bytes.resize(std::size_t{height} * width);
    char* const to = result.processed_bytes.data();
    for (std::uint32_t i = 0; i < height * width; ++i) {
      const auto row = i % height;
      const auto column = i / height;
      const auto place = row * width + column;
      to[i] = from[place];
    }
#endif
    return result;
  }
};

constexpr auto model = baton::static_program{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, columns));
  const auto weight = build.parameter("weight", baton::tensor(baton::dtype::int8, rows, columns));
  build.output(build.call("y", "test.layer", {x, weight}, baton::tensor(baton::dtype::int8, rows)));
  auto program = build.finish();
  program.values[index(weight)].data = baton::program_builder::view({weights, sizeof weights});
  return program;
}};
constexpr auto lowered =
    baton::to_backend(baton::backends<npu>, model, baton::with_constants<baton::by_support<npu, baton::operator_names<"test.layer">>>{});
