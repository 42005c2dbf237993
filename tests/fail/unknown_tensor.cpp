// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_tensor: an input or output is looked up by its one name; this is none; take one of those that there are
// EXPECT: input z of x y
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
constexpr auto position = baton::input_index<model, "y">();
#else
constexpr auto position = baton::input_index<model, "z">();
#endif
