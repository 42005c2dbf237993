// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The smallest program that a portable kernel runs: one node.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>

constexpr auto model = baton::static_program{[] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder build;
  build.output(build.call("tfl.relu", {build.user_input("x", type)}, type));
  return build.finish();
}};
