// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E27
// EXPECT: baton malformed_operator: the operands or attributes of a node do not fit its operator; see the reason
// EXPECT: at_node<0, baton::fixed_string<7>{"choice"}>
// EXPECT: of_operator<baton::fixed_string<5>{"cond"}>
// EXPECT: because<baton::fixed_string<31>{"it needs 2 subgraphs and has 1"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  const auto branch = b.add_graph("branch");
  b.output(b.call("neg", "aten.neg.default", {b.user_input("y", type)}, type));
  b.enter(baton::graph_id{0});
  const auto predicate = b.user_input("p", baton::tensor(baton::dtype::boolean));
  const auto x = b.user_input("x", type);
#if defined(FIXED)
  b.output(b.call_many("choice", "cond", {predicate, x}, {type}, {}, {branch, branch})[0]);
#else
  b.output(b.call_many("choice", "cond", {predicate, x}, {type}, {}, {branch})[0]);
#endif
  return b.finish();
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, baton::archetypes::partitioner{});
