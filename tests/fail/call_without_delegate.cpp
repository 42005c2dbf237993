// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E24
// EXPECT: baton malformed_operator: the operands or attributes of a node do not fit its operator; see the reason
// EXPECT: at_node<0, baton::fixed_string<5>{"call"}>
// EXPECT: of_operator<baton::fixed_string<25>{"executorch_call_delegate"}>
// EXPECT: because<baton::fixed_string<30>{"a node has a delegate if and "}, baton::fixed_string<30>{"only if it is a delegate call"}>
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
  const auto x = b.user_input("x", type);
#if defined(FIXED)
  b.output(b.call("call", "my.call", {x}, type));
#else
  b.output(b.call("call", baton::call_delegate.text, {x}, type));
#endif
  return b.finish();
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::static_program{make}, baton::archetypes::partitioner{});
