// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compiled at -O2: GCC before 14 does not remove nodes that read and write the arena with different strides (`visible_accesses`).
#include <baton/kernel/shared/visible_accesses.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>

// Not in an unnamed namespace: GCC inlines functions with internal linkage that are called once.
namespace transposing {

using namespace baton;

/// Exchanges the last two axes. The loops compute the addresses of both operands from the numbers of the iterations.
struct exchange_axes {
  using plan = std::array<int, 3>;
  static constexpr literal_name operators[] = {"tfl.transpose"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<plan> {
    const auto shape = program.shape(program.inputs(record)[0]);
    return {accept(), {static_cast<int>(shape[0]), static_cast<int>(shape[1]), static_cast<int>(shape[2])}};
  }
  [[gnu::always_inline]] static void compute(const plan& sizes, const node_memory& memory) {
    const auto [images, rows, columns] = sizes;
    const char* const from = memory.inputs[0];
    char* const to = memory.outputs[0];
    for (int n = 0; n < images; ++n) {
      const char* const from_image = from + n * rows * columns * 4;
      char* const to_image = to + n * rows * columns * 4;
      for (int c = 0; c < columns; ++c) {
        const char* const from_column = from_image + c * 4;
        char* const to_row = to_image + c * rows * 4;
        for (int r = 0; r < rows; ++r) std::memcpy(to_row + r * 4, from_column + r * columns * 4, 4);
      }
    }
  }
};

/// Adds the input to itself, exchanges the last two axes, and doubles the result; this twice, so that no node is inlined.
struct make_transposes {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    constexpr std::string_view order{"\0\0\0\0\2\0\0\0\1\0\0\0", 12};
    const auto permutation = build.constant("permutation", tensor(dtype::int32, 3), {order.data(), order.size()});
    auto latest = build.user_input("x", tensor(dtype::float32, 4, 16, 8));
    for (int i = 0; i < 2; ++i) {
      const auto narrow = i == 0 ? tensor(dtype::float32, 4, 16, 8) : tensor(dtype::float32, 4, 8, 16);
      const auto wide = i == 0 ? tensor(dtype::float32, 4, 8, 16) : tensor(dtype::float32, 4, 16, 8);
      const auto sum = build.call("tfl.add", {latest, latest}, narrow);
      const auto transposed = build.call("tfl.transpose", {sum, permutation}, wide);
      latest = build.call("tfl.add", {transposed, transposed}, wide);
    }
    build.output(latest);
    return build.finish();
  }
};
inline constexpr static_program<make_transposes> transposes{};
inline basic_executor<transposes, kernels<portable::pairwise, exchange_axes>> net;

}  // namespace transposing

TEST_CASE("an optimized program computes transposes") {
  constexpr std::size_t count = 4 * 16 * 8;
  float numbers[count];
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i);
  const auto input = transposing::net.input<0>();
  REQUIRE(input.size() == sizeof numbers);
  std::memcpy(input.data(), numbers, sizeof numbers);
  transposing::net.run();
  float results[count];
  const auto output = transposing::net.output<0>();
  REQUIRE(output.size() == sizeof results);
  std::memcpy(results, output.data(), sizeof results);
  for (std::size_t i = 0; i < count; ++i) CHECK(results[i] == 16 * numbers[i]);
}
