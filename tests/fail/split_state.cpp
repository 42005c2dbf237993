// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton split_state: after partitioning, a state that several graphs use has several users in one graph, or a part contains only some of the graphs; remove the tag, or use the state in one part
// EXPECT: because<baton::fixed_string<12>{"state total"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

// The root reads a state after a branch has written it. No value expresses this order.
constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  const auto flag = b.user_input("flag", baton::tensor(baton::dtype::boolean));
  const auto x = b.user_input("x", type);
#if defined(FIXED)
  const auto total = x;
#else
  const auto total = b.mutable_buffer("total", type);
#endif
  b.output(b.call("add", "aten.add.Tensor", {total, x}, type));
  const auto counts = b.add_graph("counts");
  const auto mine = b.mutable_buffer("total", type);
  b.mutation(b.user_input("x", type), "total");
  b.output(mine);
  const auto plain = b.add_graph("plain");
  b.output(b.user_input("x", type));
  b.enter(baton::graph_id{0});
  b.output(b.call_many("choice", "cond", {flag, x}, {type}, {}, {counts, plain})[0]);
  return b.finish();
};
constexpr auto lowered =
    baton::to_backend(baton::backends<npu>, baton::static_program{make}, tags::partitioner<tags::part<"tag0", "Npu", "add">>{});
