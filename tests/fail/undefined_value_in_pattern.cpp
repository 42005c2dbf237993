// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton undefined_value: an operand is neither a graph input nor an output of an earlier node; order the nodes
// EXPECT: at_node<0, baton::fixed_string<7>{"add_op"}>
// EXPECT: because<baton::fixed_string<22>{"pattern 0: operand mm"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_pattern.hpp>

#include "conformance/graphs.hpp"

#include <utility>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto product_and_sum() -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", conformance::two_by_two);
  const auto y = b.user_input("y", conformance::two_by_two);
  const auto mm = b.call("mm", "aten.mm.default", {x, y}, conformance::two_by_two);
  b.output(b.call("add_op", "aten.add.Tensor", {mm, b.user_input("z", conformance::two_by_two)}, conformance::two_by_two));
  auto pattern = b.finish();
#if !defined(FIXED)
  std::swap(pattern.nodes[0], pattern.nodes[1]);
#endif
  return pattern;
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_pattern<npu, baton::patterns<product_and_sum>>{});
