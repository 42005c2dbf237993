// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton tensor_info: inputs count from 0; the program has no input of this number
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
constexpr auto info = baton::input_info<model, 1>();
#else
constexpr auto info = baton::input_info<model, 2>();
#endif
