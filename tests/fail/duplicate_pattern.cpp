// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton duplicate_pattern: a pattern matches only nodes that another pattern of the list matches; remove it
// EXPECT: because<baton::fixed_string
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_pattern.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

// Pattern 1 is pattern 0 with other names.
template <bool IsSum>
constexpr auto pair() -> baton::exported_program {
  baton::program_builder b;
  const auto x = b.user_input(IsSum ? "x" : "p", conformance::two_by_two);
  const auto y = b.user_input(IsSum ? "y" : "q", conformance::two_by_two);
#if defined(FIXED)
  const auto* op = IsSum ? "aten.add.Tensor" : "aten.sub.Tensor";
#else
  const auto* op = "aten.add.Tensor";
#endif
  b.output(b.call(op, {x, y}, conformance::two_by_two));
  return b.finish();
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_pattern<npu, baton::patterns<pair<true>, pair<false>>>{});
