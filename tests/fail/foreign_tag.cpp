// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E17
// A tag is a member of a node, so a part has only nodes of one graph. Only a tag that the program does not have is an error.
// EXPECT: baton misplaced_index: an index in a program does not refer to a record; rebuild the program
// EXPECT: at_node<0, baton::fixed_string<3>{"mm"}>
// EXPECT: because<baton::fixed_string<23>{"the tag does not exist"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct tags_with_another_tag {
  static constexpr auto partition(const baton::exported_program& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    const auto tag = tagged.add_tag("tag0", baton::delegation_spec{"Npu"});
#if defined(FIXED)
    tagged.tag_node(baton::node_id{0}, tag);
#else
    tagged.tag_node(baton::node_id{0}, static_cast<baton::tag_id>(index(tag) + 1));
#endif
    return tagged;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, tags_with_another_tag{});
