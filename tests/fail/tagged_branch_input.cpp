// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E22
// A part cannot own data of a branch: the operands of a branch are its user inputs, even if a constant of the owner has the same name.
// EXPECT: baton tagged_user_input: a user input is tagged; tag only parameters, buffers and constants
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<10>{"input c_w"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "inside">>;
#else
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "inside c_w">>;
#endif

constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  const auto branch = b.add_graph("branch");
  b.output(b.call("inside", "aten.neg.default", {b.user_input("c_w", type)}, type));
  b.enter(baton::graph_id{0});
  const auto w = b.constant("w", type);
  const auto predicate = b.user_input("p", baton::tensor(baton::dtype::boolean));
  b.output(b.call_many("choice", "cond", {predicate, w}, {type}, {}, {branch, branch})[0]);
  return b.finish();
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, partitioner{});
