// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton refused_part: a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner
// EXPECT: npu
// EXPECT: too many nodes: 2
// LINES: 40
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::result<baton::preprocess_result> {
    if (part.nodes.size() > 1) return baton::refuse_part("too many nodes: ", part.nodes.size());
    return baton::preprocess_result{};
  }
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

#if defined(FIXED)
using support = baton::operators<"test.left">;
#else
using support = baton::operators<"test.left", "test.none", "test.taken">;
#endif
struct first_two {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    return baton::by_support<npu, support, baton::partition_options{.most_nodes = 2}>::partition(program);
  }
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, first_two{});
