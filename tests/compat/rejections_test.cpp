// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/rejections.hpp>
#include <baton/compat/executorch/excluding_supports.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

namespace {

using namespace baton;

constexpr auto nodes_in_branches_are_told() -> bool {
  const auto program = conformance::g_cond();
  const auto rejected = rejections_of<dont_partition<"aten.mm.default">>(program);
  return rejected.size() == 1 && program_view(program).text(program[rejected[0].node].name) == "mm";
}
static_assert(nodes_in_branches_are_told());

constexpr auto the_table_has_columns() -> bool {
  const auto program = conformance::g_mmadd();
  auto rejected = rejections_of<dont_partition_node<"mm_1">>(program);
  rejected.push_back({rejected[0].node, join("a second reason")});
  const auto table = why_not_table(program, rejected);
  return view(table) ==
             "node  operator         reason\n"
             "mm_1  aten.mm.default  the node is excluded\n" &&
         view(why_not_table(program, {})) == "No nodes were rejected.\n";
}
static_assert(the_table_has_columns());

}  // namespace

TEST_CASE("the reasons of a support are those of one call, in branches too (Q18)") { CHECK(nodes_in_branches_are_told()); }
TEST_CASE("rejections are printed as a table") { CHECK(the_table_has_columns()); }
