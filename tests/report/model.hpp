// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The program of the report tests.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/plan/arena.hpp>
#include <baton/report/text.hpp>
#include <baton/transform/external_weights.hpp>

#include <cstdint>

namespace report_model {

using namespace baton;

struct device {
  static constexpr auto id = name<"device">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result processed("blob");
    processed.scratch_bytes = 40;
    return processed;
  }
};

/// Two convolutions, then nodes that no backend supports. One name has a line break.
constexpr auto model() -> exported_program {
  program_builder build;
  const auto x = build.user_input("a\nline", tensor(dtype::int8, 1, 8, 8, 1));
  build.quantize(x, 0.5f, -128);
  const auto weights = build.parameter("w", tensor(dtype::int8, 2, 3, 3, 1));
  constexpr float scales[] = {0.1f, 0.25f};
  constexpr std::int64_t zeros[] = {0, 0};
  build.quantize(weights, scales, zeros, 0);
  const auto first = build.call("conv", "tfl.conv_2d", {x, weights, none<value_id>}, tensor(dtype::int8, 1, 8, 8, 2));
  build.quantize(first, 0.02f, 3);
  const auto second = build.call("conv_1", "tfl.conv_2d", {first, weights, none<value_id>}, tensor(dtype::int8, 1, 8, 8, 2));
  build.quantize(second, 0.02f, 0);
  const auto flat = build.call("MobilenetV1/MobilenetV1/Logits/SpatialSqueeze", "tfl.reshape", {second}, tensor(dtype::int8, 1, 128));
  build.output(build.call("softmax", "tfl.softmax", {flat}, tensor(dtype::float32, 1, 128)));
  return build.finish();
}

constexpr auto lowered() -> exported_program {
  return to_backend(backends<device>, model(), by_support<device, operator_names<"tfl.conv_2d">>{});
}

constexpr auto explain_undelegated(const program_view&, const node& record) -> report::undelegated_reason {
  if (record.is("tfl.softmax")) return {join("no kernel"), join("the device has no softmax; no kernel in the list supports this operator")};
  return {join("portable kernels"), {}};
}

/// The reshape shares the memory of its operand.
constexpr auto plan() -> memory_plan {
  const auto program = lowered();
  storage_map storage(program.values.size());
  const auto& reshape = program.nodes[program.root().nodes.first + 1];
  storage.place(program.outputs_of(reshape)[0], {container::value, storage_reason::forwarded, index(program.inputs(reshape)[0])});
  return plan_memory(program, {}, storage).value;
}

/// A sum of an input and a weight that the caller sets at run time.
constexpr auto with_external_weight() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 1);
  program_builder build;
  const auto x = build.user_input("x", type);
  build.output(build.call("sum", "tfl.add", {x, build.parameter("w", type, span{"abc", 4})}, type));
  return external_weights::run(build.finish());
}

}  // namespace report_model
