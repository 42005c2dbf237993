// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E11
// EXPECT: baton tagged_output: a partitioner tagged an output of the graph; tag only nodes and owned data
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<13>{"output addmm"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct tags_the_output {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    const auto tag = tagged.add_tag("tag0", baton::delegation_spec{"Npu"});
#if defined(FIXED)
    tagged.tag_node(baton::node_id{0}, tag);
#else
    tagged.tag_value(program.outputs_of(program.root())[0].value, tag);
#endif
    return tagged;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mlp>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, tags_the_output{});
