// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton misplaced_index: an index in a program does not refer to a record; rebuild the program
// EXPECT: because<baton::fixed_string<30>{"list 0 names node 5, but the "}, baton::fixed_string<20>{"program has 5 nodes"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_lists.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto lists(const baton::program_view& program) -> baton::vector<baton::node_list> {
#if defined(FIXED)
  return {{{static_cast<baton::node_id>(program.nodes.size() - 1)}, {}}};
#else
  return {{{static_cast<baton::node_id>(program.nodes.size())}, {}}};
#endif
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_lists<npu, lists>{});
