// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E40
// EXPECT: baton node_tagged_twice: a node would get a second tag; exclude tagged nodes, or remove the first tag
// EXPECT: at_node<1, baton::fixed_string<4>{"add"}>
// EXPECT: with_tag<baton::fixed_string<2>{"b"}>
// EXPECT: because<baton::fixed_string<21>{"it already has tag a"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"a", "Npu", "mm add">, tags::part<"b", "Npu", "sub">>;
#else
using partitioner = tags::partitioner<tags::part<"a", "Npu", "mm add">, tags::part<"b", "Npu", "add sub">>;
#endif

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
