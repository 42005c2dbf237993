// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A static program: a sum that is delegated to a backend, and nodes that are not.
#pragma once

#include <baton/baton.hpp>

struct consumer_npu {
  static constexpr auto id = baton::name<"ConsumerNpu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    return baton::preprocess_result("blob");
  }
};
using consumer_partitioner = baton::by_support<consumer_npu, baton::operator_names<"tfl.add">>;

inline constexpr auto consumer_model = baton::static_program{[] {
  constexpr auto type = baton::tensor(baton::dtype::int8, 4);
  baton::program_builder build;
  const auto x = build.user_input("x", type);
  const auto sum = build.call("tfl.add", {x, x}, type);
  build.output(build.call("my_company.fft", {sum}, type));
  return build.finish();
}};
inline constexpr auto consumer_program = baton::to_backend(baton::backends<consumer_npu>, consumer_model, consumer_partitioner{});
