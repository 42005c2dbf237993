// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E43
// EXPECT: baton dead_pattern: a node of a pattern does not lead to an output of the pattern; return the output of the node, or remove the node
// EXPECT: at_node<0, baton::fixed_string<7>{"add_op"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_pattern.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto sum() -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", conformance::two_by_two);
  const auto y = b.user_input("y", conformance::two_by_two);
  const auto added = b.call("add_op", "aten.add.Tensor", {x, y}, conformance::two_by_two);
#if defined(FIXED)
  b.output(added);
#else
  static_cast<void>(added);
  b.output(b.call("sub_op", "aten.sub.Tensor", {x, y}, conformance::two_by_two));
#endif
  return b.finish();
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_pattern<npu, baton::patterns<sum>>{});
