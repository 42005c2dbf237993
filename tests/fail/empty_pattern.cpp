// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E43
// EXPECT: baton empty_pattern: a pattern has no node; add the nodes to be matched
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
#if defined(FIXED)
  b.output(b.call("aten.add.Tensor", {x, b.user_input("y", conformance::two_by_two)}, conformance::two_by_two));
#else
  b.output(x);
#endif
  return b.finish();
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_pattern<npu, baton::patterns<sum>>{});
