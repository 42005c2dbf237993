// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Defines a custom operator in the same form as the operators of the library: shape inference and cost.
#include <baton/baton.hpp>

#include <cstdint>
#include <cstdio>

// The spectrum of a row with n samples has n / 2 + 1 numbers.
constexpr void infer_spectrum(baton::inference& node) {
  if (!node.require_rank(0, 2)) return;
  const auto samples = node.size(0, 1);
  node.set_output(0, baton::dtype::float32, {node.size(0, 0), samples < 0 ? -1 : samples / 2 + 1});
}
// Computed as a matrix product: each number is a sum over the row.
constexpr auto work_of_spectrum(const baton::program_view& program, const baton::node& record) -> std::uint64_t {
  const auto elements = baton::element_count(program.shape(program.outputs_of(record)[0]));
  const auto samples = program.shape(program.inputs(record)[0]).back();
  return elements < 0 || samples < 0 ? 0 : static_cast<std::uint64_t>(2 * elements * samples);
}
constexpr baton::operand_definition operands_of_spectrum[] = {{"signal"}};
constexpr baton::operator_definition my_operators[] = {
    {.name = "my.spectrum", .operands = operands_of_spectrum, .infer = infer_spectrum, .multiply_adds = work_of_spectrum},
};

constexpr auto listen(std::int64_t numbers) -> baton::exported_program {
  baton::program_builder build;
  build.define(my_operators);
  const auto signal = build.user_input("signal", baton::tensor(baton::dtype::float32, 1, 512));
  build.output(build.call("my.spectrum", {signal}, baton::tensor(baton::dtype::float32, 1, numbers)));
  return build.finish();
}
static_assert(!baton::check_inference(listen(257)));
static_assert(baton::check_inference(listen(256)).is<"mismatched_inference">());

auto main() -> int {
  const auto program = listen(257);
  const auto users = baton::users_of(program);
  std::printf("%d node uses the signal, with %d multiply-adds\n", static_cast<int>(users[0].size()),
              static_cast<int>(baton::multiply_adds(program, program.nodes[users[0][0]])));
  const auto why = baton::check_inference(listen(256));
  std::printf("%.*s\n", static_cast<int>(why.reason.size()), why.reason.data());
}

// Output:
// 1 node uses the signal, with 263168 multiply-adds
// output my_spectrum is float32 [1, 256] and should be float32 [1, 257]
