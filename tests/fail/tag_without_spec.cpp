// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton tag_without_spec: a tag has no delegation spec; add the tag together with its spec
// EXPECT: at_node<0, baton::fixed_string<3>{"mm"}>
// EXPECT: of_operator<baton::fixed_string<16>{"aten.mm.default"}>
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct forgets_the_spec {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    baton::partition_result tagged(program);
#if defined(FIXED)
    tagged.tag_node(baton::node_id{0}, tagged.add_tag("tag0", baton::delegation_spec{"Npu"}));
#else
    tagged.tag_node(baton::node_id{0}, tagged.add_tag("tag0"));
#endif
    return tagged;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, forgets_the_spec{});
