// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The part owns the state, but a node outside the part computes the new value.
// EXPECT: baton foreign_mutation: the new value of a mutable buffer that a part owns is produced outside the part; tag the buffer and the producer alike, or remove the tag of the buffer
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<29>{"buffer state, new value next"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "half next b_state">>;
#else
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "half b_state">>;
#endif

constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  const auto half = b.call("half", "my.half", {b.mutable_buffer("state", type)}, type);
  const auto next = b.call("next", "my.step", {half}, type);
  b.mutation(next, "state");
  b.output(half);
  return b.finish();
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, partitioner{});
