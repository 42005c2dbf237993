// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A buffer has one new value.
// EXPECT: baton malformed_signature: the graph signature does not match the kinds of its values; correct the kind or the signature
// EXPECT: because<baton::fixed_string<23>{"two mutations of state"}>
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
  const auto state = b.mutable_buffer("state", type);
  const auto one = b.call("one", "aten.neg.default", {state}, type);
  const auto two = b.call("two", "aten.neg.default", {one}, type);
#if !defined(FIXED)
  b.mutation(one, "state");
#endif
  b.mutation(two, "state");
  return b.finish();
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, baton::archetypes::partitioner{});
