// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton misplaced_index: an index in a program does not refer to a record; rebuild the program
// EXPECT: because<baton::fixed_string<27>{"node 5 is tagged, but the "}, baton::fixed_string<21>{"number of nodes is 5"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct tags_one_too_many {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    const auto tag = tagged.add_tag("tag0", baton::delegation_spec{"Npu"});
#if defined(FIXED)
    tagged.tag_node(static_cast<baton::node_id>(program.nodes.size() - 1), tag);
#else
    tagged.tag_node(static_cast<baton::node_id>(program.nodes.size()), tag);
#endif
    return tagged;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, tags_one_too_many{});
