// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton cycle_of_groups: a path leaves a group and returns to it through an undelegated node; split the group
// EXPECT: because<baton::fixed_string<28>{"add -> sub -> mm_1 with add"}>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_lists.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto groups(const baton::program_view&) -> baton::vector<baton::node_list> {
  constexpr auto at = [](unsigned n) { return static_cast<baton::node_id>(n); };
#if defined(FIXED)
  return {{{at(0), at(1)}}, {{at(3)}}};
#else
  return {{{at(1), at(3)}}};
#endif
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
using partitioner = baton::by_groups<npu, groups, baton::operator_names<"aten.mm.default", "aten.add.Tensor">>;
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
