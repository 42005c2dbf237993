// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton conflicting_tag: a tag was added with another backend or other compile specs; use a separate tag
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Dsp"}>
// EXPECT: because<baton::fixed_string<32>{"the tag already has backend Npu"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

template <baton::fixed_string Name>
struct any_backend {
  static constexpr auto id = baton::name<Name>;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
using npu = any_backend<"Npu">;
using dsp = any_backend<"Dsp">;

// Adds a tag for each node, as a partitioner does. Tags with the same name are one tag.
struct partitioner {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    tagged.tag_node(baton::node_id{0}, tagged.add_tag("tag0", baton::delegation_spec{"Npu"}));
#if defined(FIXED)
    tagged.tag_node(baton::node_id{1}, tagged.add_tag("tag0", baton::delegation_spec{"Npu"}));
#else
    tagged.tag_node(baton::node_id{1}, tagged.add_tag("tag0", baton::delegation_spec{"Dsp"}));
#endif
    return tagged;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu, dsp>, model, partitioner{});
