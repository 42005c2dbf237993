// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E16
// EXPECT: baton part_without_outputs: nothing outside a part uses the results of the part; remove the tag of the part
// EXPECT: at_node<0, baton::fixed_string<5>{"dead"}>
// EXPECT: of_operator<baton::fixed_string<8>{"my.half"}>
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto make = [] {
  constexpr auto type = baton::tensor(baton::dtype::float32, 4);
  baton::program_builder b;
  const auto x = b.user_input("x", type);
  const auto dead = b.call("dead", "my.half", {x}, type);
#if defined(FIXED)
  b.output(dead);
#else
  static_cast<void>(dead);
  b.output(x);
#endif
  return b.finish();
};
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "dead">>;
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, partitioner{});
