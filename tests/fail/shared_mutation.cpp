// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E19 E23
// EXPECT: baton shared_mutation: the new value of a mutable buffer that a part owns is also another graph output; remove the tag of the buffer
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<30>{"buffer state_1, new value add"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "add">>;
#else
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "add b_state_1">>;
#endif

constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  const auto state = b.mutable_buffer("state_1", type);
  const auto add = b.call("add", "aten.add.Tensor", {state, b.user_input("x", type)}, type);
  b.mutation(add, "state_1");
  b.output(add);
  return b.finish();
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, partitioner{});
