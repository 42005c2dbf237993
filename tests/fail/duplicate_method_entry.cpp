// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton duplicate_method: two methods have the same name; rename one
// EXPECT: in_method<baton::fixed_string<8>{"forward"}>
#include <baton/compat/executorch/to_backend_multiple.hpp>
#include <baton/core/static_program.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
using waves = baton::by_support<npu, baton::operator_names<"aten.sin.default">>;

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto map = baton::partitioners(baton::for_method<"forward">(waves{}));
#else
constexpr auto map = baton::partitioners(baton::for_method<"forward">(waves{}), baton::for_method<"forward">(waves{}));
#endif
constexpr auto lowered = baton::to_backend_multiple(baton::backends<npu>, baton::methods(baton::method<"forward">(model)), map);
