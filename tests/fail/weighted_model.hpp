// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program with a weight, and the same without it.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>
#include <baton/lower/methods.hpp>
#include <baton/run/run_time_weights.hpp>
#include <baton/transform/external_weights.hpp>
#include <baton/transform/transform.hpp>

constexpr auto with_its_weight = [](float scale) {
  baton::program_builder build;
  constexpr auto type = baton::tensor(baton::dtype::int8, 1, 1);
  const auto x = build.user_input("x", type);
  const auto w = build.parameter("w", type, baton::span{"\1", 1});
  const auto y = build.call("tfl.fully_connected", {x, w}, type);
  for (const auto id : {x, w, y}) build.quantize(id, id == w ? scale : 0.5f, 0);
  build.output(y);
  return build.finish();
};
constexpr auto model = baton::static_program{[] { return with_its_weight(0.5f); }};
constexpr auto rescaled = baton::static_program{[] { return with_its_weight(0.25f); }};
constexpr auto network = baton::transform(model, baton::passes<baton::external_weights>);
constexpr auto other_network = baton::transform(rescaled, baton::passes<baton::external_weights>);
