// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton dependency_cycle: a part must not depend on itself through nodes outside it; this tag forms a cycle; split the tag
// EXPECT: mine
// EXPECT: through node between
// LINES: 32
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto four = baton::tensor(baton::dtype::int8, 4);
  const auto x = build.user_input("x", four);
  const auto first = build.call("first", "test.taken", {x}, four);
  const auto between = build.call("between", "test.left", {first}, four);
  build.output(build.call("second", "test.taken", {first, between}, four));
  return build.finish();
}};

struct partitioner {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged{program};
    const auto tag = tagged.add_tag("mine", baton::delegation_spec{"npu"});
    tagged.tag_node(baton::node_id{0}, tag);
#if !defined(FIXED)
    tagged.tag_node(baton::node_id{2}, tag);
#endif
    return tagged;
  }
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
