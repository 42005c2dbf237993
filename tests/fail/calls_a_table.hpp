// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program, and a backend with a constexpr `preprocess` that calls a function that is not constexpr if a part is small.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/partition/by_support.hpp>

#if defined(FIXED)
constexpr
#else
inline
#endif
    auto
    opcode_of_relu() -> char {
  return 'r';
}

struct calls_a_table {
  static constexpr auto id = baton::name<"Table">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result compiled;
    const bool is_small = part.nodes.size() < 9;
    compiled.processed_bytes.push_back(is_small ? opcode_of_relu() : '-');
    return compiled;
  }
};
using relu_partitioner = baton::by_support<calls_a_table, baton::operator_names<"aten.relu.default">>;

constexpr auto relu_model = baton::static_program{[] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 2);
  baton::program_builder build;
  build.output(build.call("aten.relu.default", {build.user_input("x", type)}, type));
  return build.finish();
}};
