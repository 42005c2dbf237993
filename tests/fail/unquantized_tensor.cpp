// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unquantized_tensor: quantize and dequantize need a tensor with a scale; this one has none; use its elements as they are
#include <baton/core/builder.hpp>
#include <baton/run/quantize.hpp>

#include <array>
#include <cstdint>

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  const auto y = build.user_input("y", baton::tensor(baton::dtype::float32, 4));
  build.quantize(x, 0.5f, 0);
  build.output(x);
  build.output(y);
  return build.finish();
}};

#if defined(FIXED)
constexpr auto info = baton::input_info<model, 0>();
#else
constexpr auto info = baton::input_info<model, 1>();
#endif

void fill(std::array<std::int8_t, 4>& integers) { baton::quantize(info, std::array{0.5f, 1.0f, 1.5f, 2.0f}, integers); }
