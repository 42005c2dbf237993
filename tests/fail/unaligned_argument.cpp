// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unaligned_argument: a backend requires aligned arguments, but a constant argument is not aligned in the model; give the constant the delegation tag of the part that uses it
// EXPECT: because<baton::fixed_string<32>{"c_c must be aligned to 32 bytes"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Dma"}>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <array>

struct dma {
  static constexpr auto id = baton::name<"Dma">;
  static constexpr std::uint32_t argument_alignment = 32;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
};

constexpr baton::static_program model{[] {
  constexpr auto three = baton::tensor(baton::dtype::int8, 3);
  baton::program_builder build;
  const auto x = build.user_input("x", three);
#if defined(FIXED)
  const auto y = build.user_input("y", three);
#else
  const auto y = build.constant("c", three, std::array<char, 3>{1, 2, 3});
#endif
  build.output(build.call("test.add", {x, y}, three));
  return build.finish();
}};
constexpr auto lowered = baton::to_backend(baton::backends<dma>, model, baton::by_support<dma, baton::operator_names<"test.add">>{});

baton::basic_executor<lowered, baton::kernels<>> net;

void infer() { net.run(); }
