// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton undefined_value: an operand is neither a graph input nor an output of an earlier node; order the nodes
// EXPECT: at_node<0, baton::fixed_string<5>{"relu"}>
// EXPECT: of_operator<baton::fixed_string<18>{"aten.relu.default"}>
// EXPECT: because<baton::fixed_string<12>{"operand neg"}>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>

#include <utility>

constexpr auto make = [] {
  baton::program_builder b;
  const auto four = baton::tensor(baton::dtype::int8, 4);
  const auto x = b.user_input("x", four);
  b.output(b.call("relu", "aten.relu.default", {b.call("neg", "aten.neg.default", {x}, four)}, four));
  auto program = b.finish();
#if !defined(FIXED)
  std::swap(program.nodes[0], program.nodes[1]);
#endif
  return program;
};

constexpr auto lowered =
    baton::to_backend(baton::backends<baton::archetypes::backend>, baton::static_program{make}, baton::archetypes::partitioner{});
