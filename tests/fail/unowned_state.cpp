// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A node of the part writes a state in place, but the part does not own the state.
// EXPECT: baton unowned_state: a node of a part may write a mutable buffer that the part does not own; tag the buffer (tag_mutated_buffer), or exclude the node
// EXPECT: at_node<0, baton::fixed_string<5>{"step"}>
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<15>{"buffer b_state"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "step b_state">>;
#else
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "step">>;
#endif

constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  b.output(b.call("step", "tfl.custom.STEP", {b.mutable_buffer("state", type)}, type));
  return b.finish();
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, partitioner{});
