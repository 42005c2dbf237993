// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton ambiguous_pattern: two patterns match overlapping nodes and neither contains the other; merge them, or remove one
// EXPECT: at_node<1, baton::fixed_string<4>{"add"}>
// EXPECT: because<baton::fixed_string<17>{"patterns 0 and 1"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_pattern.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto product_and_sum() -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input("x", conformance::two_by_two);
  const auto mm = b.call("aten.mm.default", {x, b.user_input("y", conformance::two_by_two)}, conformance::two_by_two);
  b.output(b.call("aten.add.Tensor", {mm, b.user_input("z", conformance::two_by_two)}, conformance::two_by_two));
  return b.finish();
}
constexpr auto sum_and_difference() -> baton::exported_program {
  baton::program_builder b;
  auto sum = b.user_input("x", conformance::two_by_two);
#if !defined(FIXED)
  sum = b.call("aten.add.Tensor", {sum, b.user_input("y", conformance::two_by_two)}, conformance::two_by_two);
#endif
  b.output(b.call("aten.sub.Tensor", {sum, b.user_input("z", conformance::two_by_two)}, conformance::two_by_two));
  return b.finish();
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered =
    baton::to_backend(baton::backends<npu>, model, baton::by_pattern<npu, baton::patterns<product_and_sum, sum_and_difference>>{});
