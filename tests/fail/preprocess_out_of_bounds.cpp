// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton run_time_preprocess: preprocess is not a constant expression; declare it constexpr, call only constexpr functions, and read no element out of bounds
// ERRORS: 1
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: to see the cause:
// EXPECT: baton::preprocess_is_constant
// The first part of each backend is small, so `preprocess` is checked before the compiler prints the calls inside the library.
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"

/// Assumes that a part has two nodes, except the part that checks whether `preprocess` is constexpr.
struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::vector<char> codes(part.nodes.size(), 'n');
#if !defined(FIXED)
    if (part.nodes[0].is("aten.sin.default")) codes[1] = 's';
#endif
    return baton::preprocess_result{codes.size() == 1 && codes[0] == 'n' ? "one" : "more"};
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered =
    baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"aten.sin.default">>{});
