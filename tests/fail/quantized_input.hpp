// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program with a quantized input and a float32 input.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/run/quantize.hpp>

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  const auto y = build.user_input("y", baton::tensor(baton::dtype::float32, 4));
  build.quantize(x, 0.5f, 0);
  build.output(x);
  build.output(y);
  return build.finish();
}};
