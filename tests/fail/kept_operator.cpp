// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E46
// EXPECT: baton kept_operator: an operator that the partitioner asked to preserve is not delegated; tag the node, or do not ask to preserve its operator
// EXPECT: at_node<2, baton::fixed_string<4>{"sub"}>
// EXPECT: because<baton::fixed_string<26>{"partitioner keeps_all_sub"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct keeps_all_sub : baton::by_support<npu, baton::operator_names<"aten.mm.default">> {
  static constexpr auto prevents_decomposition(const baton::program_view&, const baton::node& of) -> bool {
#if defined(FIXED)
    return of.is("aten.mm.default");
#else
    return of.is("aten.sub.Tensor");
#endif
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, keeps_all_sub{});
